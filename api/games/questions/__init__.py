"""Questions: the bank that the daily quest and the Battle Zone draw from.

Terms: *question* (never changed: a correction is a new row, the old one is retired), *slug* (its
permanent name), *right option* (0 to 3), *kind* (which game may ask it).
"""
