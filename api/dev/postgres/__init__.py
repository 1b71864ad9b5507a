"""An embedded PostgreSQL server for development and tests."""
