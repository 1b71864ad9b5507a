"""SQL of the shop: products, the checkout, and orders."""
