"""SQL of the question bank."""
