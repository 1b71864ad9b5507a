"""Rows moved into the past, and points and days given, so that tests need not wait.

Production does not have the calls.
"""
