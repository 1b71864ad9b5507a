"""The shop: products, checkout, orders, transfers and refunds."""
