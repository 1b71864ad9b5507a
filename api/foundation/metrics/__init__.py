"""Metrics shared between processes, and log output that does not block."""
