"""Two hundred texts that cause harm if they are interpreted as anything but text."""

import itertools

# Executed by a browser: as content, out of an attribute, a comment, a text area, a title.
_SCRIPTS = (
    "<script>window.ran=1</script>",
    "<img src=x onerror=window.ran=1>",
    "<svg onload=window.ran=1>",
    "<iframe srcdoc='<script>parent.ran=1</script>'>",
    "<a href=javascript:window.ran=1>x</a>",
    "<details open ontoggle=window.ran=1>",
    "<math><mtext><style><img src onerror=window.ran=1></style></mtext></math>",
    "[x](javascript:window.ran=1)",
    "![x](data:text/html,<script>window.ran=1</script>)",
    "{{constructor.constructor('window.ran=1')()}}",
)
_BEFORE = ("", '">', "'>", "-->", "</textarea>", "</title>", "`", "\\u003c", "]]>", "&lt;")
# Executed by a spreadsheet.
_FORMULAS = (
    '=HYPERLINK("http://x")',
    "=1+1",
    "+1+1",
    "-1+1",
    "@SUM(1)",
    "=cmd|' /C calc'!A0",
    "\t=1+1",
    "\r=1+1",
    "\uff1d1+1",
    '"=1+1"',
)
_AFTER = ("", "A", '","x', "\n=1+1", "\uff1b", " ", "'", '"', ";", "|")

HOSTILE = tuple(
    [before + script for before, script in itertools.product(_BEFORE, _SCRIPTS)]
    + [formula + after for formula, after in itertools.product(_FORMULAS, _AFTER)]
)
