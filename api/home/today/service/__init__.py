"""Rules of the home screen, and notifications about games."""
