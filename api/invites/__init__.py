"""Invites: members bring friends, and both win points once the friend has paid or played for days.

Words: *invite* (a member's code, and the link with it), *invitation* (who came by it).
"""
