"""The API description as it is committed: small, and with one fact per line for readable diffs."""

import json

MAX_COLUMNS = 100
# Paths, operations and component schemas begin at the margin: indenting them costs 7%.
LEVELS_AT_THE_MARGIN = 3


def description_text(node: object) -> str:
    """Return JSON without optional spaces, broken where a value does not fit in a line."""
    return _text(node, level=0, used=0) + "\n"


def _text(node: object, *, level: int, used: int) -> str:
    """Return the text of a value whose line has ``used`` columns before it."""
    in_one_line = _compact(node)
    if not isinstance(node, (dict, list)) or used + len(in_one_line) < MAX_COLUMNS:
        return in_one_line
    pad = " " * max(0, level + 1 - LEVELS_AT_THE_MARGIN)
    if isinstance(node, list):
        if not any(isinstance(item, (dict, list)) for item in node):
            return in_one_line
        lines = [pad + _text(item, level=level + 1, used=len(pad)) for item in node]
    else:
        lines = []
        for key, value in node.items():
            head = f"{pad}{_compact(key)}:"
            lines.append(head + _text(value, level=level + 1, used=len(head)))
    opening, closing = "[]" if isinstance(node, list) else "{}"
    return f"{opening}\n" + ",\n".join(lines) + f"\n{pad[1:]}{closing}"


def _compact(node: object) -> str:
    return json.dumps(node, ensure_ascii=False, separators=(",", ":"))
