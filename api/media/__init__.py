"""Media: members' pictures and videos, from what was received to what is served.

Words: *object* (one stored file), *key* (its random name under a folder), *store* (where objects
lie), *orphan* (an object that no row names).
"""
