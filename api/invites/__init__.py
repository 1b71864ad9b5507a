"""Invites: members bring friends, and both win points when the friend has played a first quest.

Words: *invite* (a member's code, and the link with it), *invitation* (who came by it).
"""
