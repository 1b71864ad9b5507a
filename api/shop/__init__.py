"""Shop: products, checkout and orders.

Words: *product*, *cart* (a wish the browser keeps), *checkout* (server prices, stock and
money in one transaction), *order*, *order line* (a snapshot that never changes).
"""
