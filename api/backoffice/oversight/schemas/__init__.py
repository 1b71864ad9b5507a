"""Wire schemas of the back office itself."""
