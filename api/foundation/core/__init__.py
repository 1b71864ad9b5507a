"""Core: what every domain depends on; it knows no domain."""
