"""Signing up, activating, signing in and out, and the forgotten password."""
