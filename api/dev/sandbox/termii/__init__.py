"""A fake Termii, for development and tests."""
