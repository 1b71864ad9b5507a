"""Wire schemas of the shop (spec 3, 7; contract B-30 to B-39, section A of money)."""
