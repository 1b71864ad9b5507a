"""Approvals: one operator proposes, another decides; the part that domains use."""
