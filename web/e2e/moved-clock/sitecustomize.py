"""Moves the product's clock ahead by the seconds in the file named by ``CLOCK_AHEAD``.

Python loads this module at the start of each process that has this folder in ``PYTHONPATH``.
"""

import os
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from api.foundation.core import clock

AHEAD = Path(os.environ["CLOCK_AHEAD"])


def moved_now() -> datetime:
    """Return the moved instant, timezone-aware, in UTC."""
    seconds = AHEAD.read_text(encoding="utf-8") if AHEAD.exists() else ""
    return datetime.now(UTC) + timedelta(seconds=float(seconds or 0))  # noqa: TID251 - the clock itself


clock.now = moved_now
