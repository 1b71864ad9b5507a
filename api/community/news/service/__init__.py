"""Operations of the news: writing, publishing, withdrawing and reading articles, and pictures."""
