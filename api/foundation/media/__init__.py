"""Media: members' pictures and videos, from upload to serving.

Words: *object* (one stored file), *key* (its random name under a folder), *store* (where the
objects are), *orphan* (an object that no row refers to).
"""
