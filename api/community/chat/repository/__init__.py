"""SQL of the chat: messages, moderation, reactions, and who is online."""
