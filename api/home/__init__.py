"""What combines the domains for one member: the home screen, their data, and leaving."""
