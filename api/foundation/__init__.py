"""The basis of all domains; contains no concept of the product."""
