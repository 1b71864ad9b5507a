"""Legal pages, and the versions of the terms that members accept.

Words: *publisher* (who runs the app, with address and contact), *version* (of the three texts; it
changes with them and not with the publisher's details), *acceptance* (a member's, of one version).
"""
