"""SQL of the ranking: points and boards, seasons and their ladders."""
