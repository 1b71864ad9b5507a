"""Rules of notifications: their texts, and when mail and pushes are sent."""
