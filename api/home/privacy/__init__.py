"""Privacy: export and erasure of a member's personal data.

Terms: *export* (all data held about a member), *erase* (personal data is removed, the books are
kept), *policy* (what erasing does to a table's rows).
"""
