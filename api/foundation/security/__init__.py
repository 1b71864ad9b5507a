"""Security: authentication, cryptography and security events.

It has no tables and no web framework: domains issue and check credentials with it. Words: *member*
(a signed-in member), *session* (what a token refers to), *digest* (stored instead of a code),
*sealed* (encrypted for the database).
"""
