"""Rows moved into the past, so that tests need not wait; production does not have the call."""
