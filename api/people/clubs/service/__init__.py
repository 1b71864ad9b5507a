"""The clubs: reading, crests, and changes at the back office."""
