"""Shop: products, checkout and orders.

Terms: *product*, *cart* (kept in the browser), *checkout* (server prices, stock and money in one
transaction), *order*, *order line* (a snapshot that never changes).
"""
