"""Defaults of the settings."""

from datetime import time

from api.foundation.core.money import KOBO_PER_NAIRA, Kobo

# Defaults until the back office changes them.
QUIET_FROM, QUIET_TO = time(22), time(7)  # Lagos time
ADJUSTMENT_LIMIT = Kobo(10_000 * KOBO_PER_NAIRA)
ADJUSTMENT_DAY_LIMIT = Kobo(50_000 * KOBO_PER_NAIRA)
REFUND_LIMIT = Kobo(100_000 * KOBO_PER_NAIRA)
REFUND_DAY_LIMIT = Kobo(500_000 * KOBO_PER_NAIRA)
CONFIRM_DAY_LIMIT = Kobo(1_000_000 * KOBO_PER_NAIRA)
GIFT_LIMIT = 20
TRANSFER_UNITS_LIMIT = 20
TRANSFER_VALUE_LIMIT = Kobo(500_000 * KOBO_PER_NAIRA)
