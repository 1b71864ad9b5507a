"""Invites: members bring friends, and both earn points once the friend has paid or played.

Terms: *invite* (a member's code, and the link with it), *invitation* (a member who used one).
"""
