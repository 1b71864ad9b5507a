"""Operations of the chat: joining, posting, reading, and moderating."""
