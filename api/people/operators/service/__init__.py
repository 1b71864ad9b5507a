"""Services of operators."""
