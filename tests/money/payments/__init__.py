"""Tests of payments, against a real PostgreSQL and the sandbox provider."""
