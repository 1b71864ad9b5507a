"""Demo data: the clubs, products and pictures of a new development database."""
