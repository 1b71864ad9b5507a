"""Repositories of operators."""
