"""Approvals: what one operator proposes and another decides, as far as domains take part."""
