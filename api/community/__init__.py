"""What members tell each other and the club tells them: chat, moments, news."""
