"""Files as responses: downloaded under a name, never cached, never opened in a page."""

from fastapi import Response


def attachment(content: bytes, content_type: str, name: str) -> Response:
    """Return a file to download; ``name`` is ours and has only letters, digits, dots and dashes."""
    headers = {
        "Content-Disposition": f'attachment; filename="{name}"',
        "Cache-Control": "private, no-store",
    }
    return Response(content, media_type=content_type, headers=headers)
