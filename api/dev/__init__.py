"""Development: embedded services, demo data, the start command. No other package imports it."""
