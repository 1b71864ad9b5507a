"""Pages rendered by the server: one HTML file, one CSS file, no scripts."""

import base64
import hashlib
import re
from pathlib import Path
from string import Template

from fastapi.responses import HTMLResponse

POLICY = (
    "default-src 'none'; style-src 'sha256-{digest}'; img-src {pictures}; font-src {fonts};"
    " base-uri 'none'; form-action {forms}; frame-ancestors 'none'"
)
NOT_STORED = "private, no-store"
BUILT_PAGE = "visitor/page.html"
STYLE_SHEET = re.compile(r'<link rel="stylesheet"[^>]* href="/([^"]+)"')
FONT_FACE = re.compile(r"@font-face\s*\{[^}]*\}")


def built_fonts(folder: Path) -> str:
    """Return the font rules of the built app, so that both share the cached files; or nothing."""
    page = folder / BUILT_PAGE
    found = STYLE_SHEET.search(page.read_text(encoding="utf-8")) if page.is_file() else None
    sheet = None if found is None else folder / found[1]
    if sheet is None or not sheet.is_file():
        return ""
    return "".join(FONT_FACE.findall(sheet.read_text(encoding="utf-8")))


class StyledPage:
    """A page with inline style, and a policy that allows only this style.

    Values are inserted as HTML: the caller escapes user input. A page that ``has_form`` may post to
    its own origin, one that ``has_icon`` may load pictures from there, and ``fonts`` are rules of
    fonts that it may load.
    """

    def __init__(
        self, page: Path, *, has_form: bool = False, has_icon: bool = False, fonts: str = ""
    ) -> None:
        style = fonts + page.with_suffix(".css").read_text(encoding="utf-8")
        whole = Template(page.read_text(encoding="utf-8")).safe_substitute(style=style)
        self._page = Template(whole)
        digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
        self._policy = POLICY.format(
            digest=digest,
            fonts=_source(bool(fonts)),
            forms=_source(has_form),
            pictures=_source(has_icon),
        )

    def answer(self, *, cache_control: str = NOT_STORED, **filled: str) -> HTMLResponse:
        """Return the page as a response that cannot be framed, nor cached unless stated."""
        headers = {
            "Content-Security-Policy": self._policy,
            "X-Frame-Options": "DENY",
            "Cache-Control": cache_control,
        }
        return HTMLResponse(self._page.substitute(filled), headers=headers)


def _source(is_allowed: bool) -> str:
    return "'self'" if is_allowed else "'none'"
