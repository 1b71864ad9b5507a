"""Tests of money from outside, against a real PostgreSQL and the sandbox provider."""
