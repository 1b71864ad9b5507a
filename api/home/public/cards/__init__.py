"""Cards: the pictures of link previews, drawn on the server and stored once per content.

Drawing is synchronous and touches nothing but memory; ``CardCache`` runs it on a thread.
"""
