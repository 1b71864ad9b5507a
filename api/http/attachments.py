"""Files as answers: saved under a name, kept by nobody on the way, opened by no page."""

from fastapi import Response


def attachment(content: bytes, content_type: str, name: str) -> Response:
    """Return a file to save; ``name`` is our own, of letters, digits, dots and dashes."""
    headers = {
        "Content-Disposition": f'attachment; filename="{name}"',
        "Cache-Control": "private, no-store",
    }
    return Response(content, media_type=content_type, headers=headers)
