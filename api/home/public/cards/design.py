"""The version of the design: cards drawn by other code or with other typefaces are outdated."""

import hashlib
from functools import cache
from pathlib import Path

from api.home.public.cards.lettering import Typeface

FOLDER = Path(__file__).resolve().parent


@cache
def design_version() -> str:
    """Return a short text that changes whenever this package or a typeface does."""
    files = [*sorted(FOLDER.glob("*.py")), *(face.path for face in Typeface)]
    digests = (hashlib.sha256(file.read_bytes()).digest() for file in files)
    return hashlib.sha256(b"".join(digests)).hexdigest()[:12]
