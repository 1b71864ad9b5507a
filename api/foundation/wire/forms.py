"""Multipart forms: the parts that one may have, and a received one."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import BinaryIO

from api.foundation.core.errors import DomainError
from api.foundation.security.network import Sender

FRAME_BYTES = 16 * 1024  # boundaries and part headers of a form


@dataclass(frozen=True)
class FileRule:
    """A file's maximum size, and the message for larger ones."""

    limit_bytes: int
    too_large: str


@dataclass(frozen=True)
class FormRules:
    """The parts a form may have: files with their rules, text fields with their limits."""

    files: Mapping[str, FileRule]
    fields: Mapping[str, int]

    @property
    def body_bytes(self) -> int:
        """The maximum size of a body within all limits."""
        files = sum(rule.limit_bytes for rule in self.files.values())
        return files + sum(self.fields.values()) + FRAME_BYTES


@dataclass
class ReceivedFile:
    """A received file: its bytes on disk, their number, and their SHA-256."""

    handle: BinaryIO
    size_bytes: int = 0
    digest: str = ""


@dataclass
class ReceivedForm:
    """A received form and its sender; closing it closes ``files``."""

    sender: Sender
    fields: dict[str, str] = field(default_factory=dict)
    files: dict[str, ReceivedFile] = field(default_factory=dict)

    def close(self) -> None:
        """Close the temporary files, which deletes them."""
        for received in self.files.values():
            received.handle.close()

    def digests(self) -> dict[str, str]:
        """Return what identifies this form's content: its fields and its files' digests."""
        return self.fields | {name: found.digest for name, found in self.files.items()}


class FileTooLargeError(DomainError):
    """A file, or the whole form, is above its limit."""

    status = 413
    code = "too_large"
    message = "The request is too large."


class WrongMediaError(DomainError):
    """A file has a type that is not accepted here."""

    status = 415
    code = "unsupported_media_type"
    message = "This kind of content is not accepted here."


class MalformedFormError(DomainError):
    """The body is not a complete multipart form."""

    status = 400
    code = "malformed_form"
    message = "The request could not be read."
