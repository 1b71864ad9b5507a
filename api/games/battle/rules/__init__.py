"""Rules of the Battle Zone; no database access."""
