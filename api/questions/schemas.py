"""How every game shows a question's options (spec 3)."""

import json
from collections.abc import Sequence

KEYS = "ABCD"


def label_options(options: Sequence[str]) -> str:
    """Return options, in a member's order, as the wire's JSON text from key to label."""
    return json.dumps(dict(zip(KEYS, options, strict=True)), ensure_ascii=False)
