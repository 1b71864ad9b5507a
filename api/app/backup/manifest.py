"""The manifest of a backup; the same models write and read it.

Without a key anyone could have written it, so its content is not trusted.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated, Final, Literal

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    TypeAdapter,
    ValidationError,
)

from api.app.backup.errors import BackupError
from api.foundation.media.storage import is_key

FORMAT: Final = 1
MANIFEST, SIGNATURE = "manifest.json", "manifest.sum"
DUMP: Final = "database.dump"
MEDIA_LIST: Final = "media.json"
MEDIA = "media"
REQUIRED_FILES = (DUMP, MEDIA_LIST)

Amount = Annotated[int, Field(ge=0, le=2**63 - 1)]
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
PartName = Literal["database.dump", "media.json"]
Line = Annotated[str, Field(max_length=200, pattern=r"^[^\p{Cc}]*$")]


def _require_key(key: str) -> str:
    if not is_key(key):
        raise ValueError("no key of the media store")
    return key


class _Facts(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Part(_Facts):
    """A file of the backup: its size, and the SHA-256 of its content."""

    size_bytes: Amount
    sha256: Digest


class Medium(_Facts):
    """An object of the media store: its size, and the SHA-256 of its content."""

    key: Annotated[str, AfterValidator(_require_key)]
    size_bytes: Amount
    sha256: Digest


class Manifest(_Facts):
    """A backup's contents. ``counts`` are rows per table, ``held_kobo`` is all wallets' sum."""

    product: Line
    taken_at: AwareDatetime
    migration: Annotated[str, Field(max_length=64, pattern=r"^\w+$")]
    server_version: Annotated[int, Field(ge=0, le=10_000_000)]
    is_encrypted: bool
    has_media: bool
    media: Amount
    counts: dict[Line, Amount]
    transfers: Amount
    held_kobo: Amount
    parts: Annotated[dict[PartName, Part], Field(min_length=len(REQUIRED_FILES))]
    format: Literal[1] = FORMAT


class _Head(BaseModel):
    """The fields that a manifest of any format has."""

    model_config = ConfigDict(strict=True)

    format: int
    is_encrypted: bool


LISTED = TypeAdapter(list[Medium])


def write_manifest(manifest: Manifest) -> bytes:
    """Serialize a manifest."""
    return manifest.model_dump_json(indent=1).encode()


def read_head(content: bytes) -> tuple[int, bool]:
    """Return a manifest's format, and whether the backup is encrypted.

    Raises:
        BackupError: it is no manifest.
    """
    with _damage(MANIFEST):
        head = _Head.model_validate_json(content)
    return head.format, head.is_encrypted


def read_manifest(content: bytes) -> Manifest:
    """Parse a manifest of this format.

    Raises:
        BackupError: it is invalid.
    """
    with _damage(MANIFEST):
        return Manifest.model_validate_json(content)


def write_media_list(media: Sequence[Medium]) -> bytes:
    """Serialize the list of media."""
    return LISTED.dump_json(list(media), indent=0)


def read_media_list(content: bytes, count: int) -> list[Medium]:
    """Parse a list of ``count`` media.

    Raises:
        BackupError: the number differs, an entry is repeated, or a key is not ours.
    """
    with _damage(MEDIA_LIST):
        media = LISTED.validate_json(content)
    if not len(media) == len({medium.key for medium in media}) == count:
        raise BackupError(f"{MEDIA_LIST} is damaged.")
    return media


@contextmanager
def _damage(name: str) -> Iterator[None]:
    try:
        yield
    except ValidationError:
        raise BackupError(f"{name} is damaged.") from None
