"""Content by members and by the club: chat, moments, news."""
