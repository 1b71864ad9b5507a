"""Development: embedded services, demo data, the one-command start. Nothing below imports it."""
