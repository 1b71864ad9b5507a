"""Matches and games: predictions, battles, quests, ranks."""
