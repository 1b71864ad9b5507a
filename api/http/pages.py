"""Pages that the server writes itself: one file of HTML, one of CSS, and no script at all."""

import base64
import hashlib
from pathlib import Path
from string import Template

from fastapi.responses import HTMLResponse

POLICY = (
    "default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none';"
    " form-action 'none'; frame-ancestors 'none'"
)


class StyledPage:
    """A page with its style in it, and the policy that allows this style and nothing else.

    What is filled in is HTML: whoever fills it escapes what people have written.
    """

    def __init__(self, page: Path) -> None:
        style = page.with_suffix(".css").read_text(encoding="utf-8")
        whole = Template(page.read_text(encoding="utf-8")).safe_substitute(style=style)
        self._page = Template(whole)
        digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
        self._policy = POLICY.format(digest=digest)

    def answer(self, **filled: str) -> HTMLResponse:
        """Return the page as an answer that no other page may frame and nobody keeps."""
        headers = {
            "Content-Security-Policy": self._policy,
            "X-Frame-Options": "DENY",
            "Cache-Control": "private, no-store",
        }
        return HTMLResponse(self._page.substitute(filled), headers=headers)
