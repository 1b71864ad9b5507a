"""Users: the member record.

Words: *user* (the record), *member* (the signed-in person), *badge* (rank slug).
"""
