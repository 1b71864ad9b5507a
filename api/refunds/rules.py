"""Rules of refunds."""

from api.core.money import Kobo

SENT_ALONE_KOBO = Kobo(10_000_000)  # more than ₦100,000 waits for a second person
MOST_LINES = 50
