"""Peers: small servers on other frameworks that do the same work on the same rows."""
