"""PDF documents that members upload: stored unchanged and never parsed here."""

from typing import BinaryIO

from api.foundation.core.errors import DomainError

PDF = b"%PDF-"
END = b"%%EOF"
TAIL_BYTES = 2048  # some programs write a little after the end


class DamagedDocumentError(DomainError):
    """The file begins like a PDF and has no end."""

    status = 422
    code = "damaged_document"
    message = "This PDF is damaged. Please choose another file."


def looks_like_pdf(head: bytes) -> bool:
    """Return whether a file that begins with ``head`` claims to be a PDF."""
    return head.startswith(PDF)


def check_pdf(handle: BinaryIO, size_bytes: int) -> None:
    """Reject a truncated PDF.

    Raises:
        DamagedDocumentError: it is truncated.
    """
    handle.seek(max(0, size_bytes - TAIL_BYTES))
    if END not in handle.read():
        raise DamagedDocumentError
