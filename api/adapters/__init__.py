"""Adapters: vendors behind the ports of the domains."""
