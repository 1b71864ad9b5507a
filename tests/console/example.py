"""The example of the opening page, with a season that is ahead whatever today is."""

import re
import shutil
from datetime import timedelta
from pathlib import Path

from api.foundation.core import clock

EXAMPLE = Path(__file__).parents[2] / "docs" / "opening"
PATH_ON_THE_PAGE = "docs/opening/club.toml"
BEGINS_IN = timedelta(days=4)
LASTS = timedelta(days=182)


def copy_example(folder: Path) -> Path:
    """Copy the example into ``folder`` and return its file."""
    shutil.copytree(EXAMPLE, folder / "opening")
    path = folder / "opening" / "club.toml"
    first = clock.lagos_day(clock.now()) + BEGINS_IN
    text = path.read_text(encoding="utf-8")
    for name, day in (("starts_at", first), ("ends_at", first + LASTS)):
        text, found = re.subn(rf"(?m)^{name} = [\d-]+T", f"{name} = {day}T", text)
        assert found == 1
    path.write_text(text, encoding="utf-8")
    return path
