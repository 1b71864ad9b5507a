"""Peers: small servers of other frameworks that do the same work on the same rows."""
