"""Demo: the clubs, products and pictures that a fresh development database begins with."""
