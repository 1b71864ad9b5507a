"""Adapters: implementations of the domains' ports by vendors' services."""
