"""A fake push service, and the browsers that receive from it, for development and tests."""
