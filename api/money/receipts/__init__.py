"""Receipts of payments: numbered without gaps, as data or as a page to print."""
