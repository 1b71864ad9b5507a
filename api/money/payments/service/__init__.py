"""Funding a wallet: prepare, verify, settle once, cancel, sweep."""
