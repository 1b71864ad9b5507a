"""In-memory side of the chat: outgoing messages, reaction counts, and who is online.

A message is stored before it is emitted, and emitted in its room's order. Nothing here makes
decisions: clients read back a message that could not be emitted by its sequence, which every user
list contains.
"""
