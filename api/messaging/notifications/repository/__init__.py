"""SQL of notifications: what members see, their settings, and sending."""
