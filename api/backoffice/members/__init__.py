"""Members in the back office: search, a member's page, suspension and moves.

All data belongs to other domains; this package combines it and audits the access.
"""
