"""Matches and what members play: predictions, battles, quests, ranks."""
