"""Receipts: what was paid, numbered without gaps, read as data or printed as a page."""
