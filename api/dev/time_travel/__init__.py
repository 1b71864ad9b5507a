"""Test-only routes that backdate rows and award points and streak days.

Production does not have these routes.
"""
