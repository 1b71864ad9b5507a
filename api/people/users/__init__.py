"""Users: the member record.

Terms: *user* (the record), *member* (the signed-in person), *badge* (rank slug).
"""
