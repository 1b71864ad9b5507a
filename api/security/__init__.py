"""Security: who is calling, what is kept secret of them, and what is recorded when it matters.

No table and no web framework: domains issue and check, this package holds the cryptography.
Words: *member* (who is signed in), *session* (what a token names), *digest* (what is kept instead
of a code), *sealed* (encrypted for the database).
"""
