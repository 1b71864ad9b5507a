"""Features across the domains: the home screen, and a member's data export and deletion."""
