"""A backup's folder: written beside its place, durable and then renamed; read with its digests."""

import fcntl
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from api.backup.errors import BackupError
from api.backup.sealing import ByteSource, Seal

FORMAT = 1
MANIFEST, SIGNATURE = "manifest.json", "manifest.sum"
DUMP, MEDIA_LIST, MEDIA = "database.dump", "media.json", "media"
UNFINISHED = ".unfinished-"
LOCK = ".lock"


@dataclass(frozen=True)
class Part:
    """A file as it was written: its size, and the SHA-256 of its bytes."""

    size_bytes: int
    sha256: str


@dataclass(frozen=True)
class Manifest:
    """What a backup holds. ``counts`` are rows by table, ``held_kobo`` is in all wallets."""

    product: str
    taken_at: str
    migration: str
    server_version: int
    is_encrypted: bool
    has_media: bool
    media: int
    counts: dict[str, int]
    transfers: int
    held_kobo: int
    parts: dict[str, Part] = field(default_factory=dict)
    format: int = FORMAT


@dataclass(frozen=True)
class Medium:
    """One object of the media store: its size, and the SHA-256 of its content."""

    key: str
    size_bytes: int
    sha256: str


class NewBackup:
    """A folder that is being written; it gets its name when it is whole."""

    def __init__(self, folder: Path, seal: Seal) -> None:
        self._folder = folder
        self._seal = seal
        self.parts: dict[str, Part] = {}

    def write(self, name: str, source: ByteSource) -> Part:
        """Write one file, durable, and return what was written."""
        place = self._folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        found, size = hashlib.sha256(), 0
        with place.open("xb") as target:
            for piece in self._seal.pieces(source, name):
                target.write(piece)
                found.update(piece)
                size += len(piece)
            target.flush()
            os.fsync(target.fileno())
        return Part(size, found.hexdigest())

    def write_manifest(self, manifest: Manifest) -> None:
        """Write what the backup holds, with what proves it."""
        content = json.dumps(asdict(manifest), indent=1, sort_keys=True).encode()
        for name, written in (
            (MANIFEST, content),
            (SIGNATURE, f"{self._seal.sign(content)}\n".encode()),
        ):
            with (self._folder / name).open("xb") as target:
                target.write(written)
                target.flush()
                os.fsync(target.fileno())


@contextmanager
def new_backup(place: Path, seal: Seal) -> Iterator[NewBackup]:
    """Give a folder to write; at the end it is at ``place``, after a failure nowhere.

    Raises:
        BackupError: there is something at ``place``, or another backup is being written beside it.
        OSError: it cannot be written.
    """
    place = place.absolute()
    place.parent.mkdir(parents=True, exist_ok=True)
    with _only_writer(place.parent):
        if place.exists():
            raise BackupError(f"{place} is there already. Nothing was overwritten.")
        for left in place.parent.glob(f"{UNFINISHED}*"):  # by one that was killed
            shutil.rmtree(left)
        unfinished = Path(tempfile.mkdtemp(prefix=UNFINISHED, dir=place.parent))
        try:
            yield NewBackup(unfinished, seal)
            for folder, _, _ in os.walk(unfinished):
                _make_durable(Path(folder))
            unfinished.rename(place)
        except BaseException:
            shutil.rmtree(unfinished, ignore_errors=True)
            raise
        _make_durable(place.parent)


@contextmanager
def _only_writer(folder: Path) -> Iterator[None]:
    with (folder / LOCK).open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BackupError(f"Another backup is being written to {folder}.") from None
        yield


def _make_durable(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class StoredBackup:
    """A backup that was taken.

    Raises:
        BackupError: it is none, or what it says of itself is damaged.
    """

    def __init__(self, place: Path, seal: Seal) -> None:
        self.place = place
        self.seal = seal
        try:
            content = (place / MANIFEST).read_bytes()
            signature = (place / SIGNATURE).read_text("ascii", errors="replace").strip()
        except (FileNotFoundError, NotADirectoryError):
            raise BackupError(f"{place} is no backup, or a half one: it has no manifest.") from None
        facts = _read_json(content)
        if seal.is_sealing and not facts.get("is_encrypted"):
            raise BackupError(f"{place} is not encrypted, and BACKUP_KEY is set: unset it first.")
        if facts.get("is_encrypted") and not seal.is_sealing:
            raise BackupError(f"{place} is encrypted: set BACKUP_KEY.")
        if signature != seal.sign(content):
            reason = ", or BACKUP_KEY is not its key" if seal.is_sealing else ""
            raise BackupError(f"{MANIFEST} is damaged{reason}.")
        if facts.get("format") != FORMAT:
            raise BackupError(f"{place} was written by a newer release.")
        parts = {name: Part(**part) for name, part in facts.pop("parts").items()}
        self.manifest = Manifest(**facts, parts=parts)

    @property
    def size_bytes(self) -> int:
        """How much room it takes."""
        return sum(path.stat().st_size for path in self.place.rglob("*") if path.is_file())

    def open(self, name: str) -> Iterator[bytes]:
        """Yield the content of a file.

        Raises:
            BackupError: it is missing or damaged.
        """
        try:
            with (self.place / name).open("rb") as source:
                yield from self.seal.open(source, name)
        except FileNotFoundError:
            raise BackupError(f"{name} is missing.") from None

    def media(self) -> list[Medium]:
        """Return the list of media.

        Raises:
            BackupError: it is damaged.
        """
        listed = json.loads(b"".join(self.open(MEDIA_LIST)))
        return [Medium(**medium) for medium in listed]

    def damaged_parts(self) -> Iterator[str]:
        """Look at every byte of dump and list, and yield a sentence for what is not as written."""
        for name, part in self.manifest.parts.items():
            found, size = hashlib.sha256(), 0
            try:
                with (self.place / name).open("rb") as source:
                    while piece := source.read(1024 * 1024):
                        found.update(piece)
                        size += len(piece)
            except FileNotFoundError:
                yield f"{name} is missing."
                continue
            if Part(size, found.hexdigest()) != part:
                yield f"{name} is damaged."

    def damaged_media(self) -> Iterator[tuple[Medium, str]]:
        """Look at every byte of the copied media, and yield what is not as listed."""
        for medium in self.media() if self.manifest.has_media else ():
            name = f"{MEDIA}/{medium.key}"
            found, size = hashlib.sha256(), 0
            try:
                for piece in self.open(name):
                    found.update(piece)
                    size += len(piece)
            except BackupError as error:
                yield medium, str(error)
                continue
            if (size, found.hexdigest()) != (medium.size_bytes, medium.sha256):
                yield medium, f"{name} is damaged."


def _read_json(content: bytes) -> dict[str, Any]:
    try:
        facts = json.loads(content)
    except ValueError:
        facts = None
    if not isinstance(facts, dict):
        raise BackupError(f"{MANIFEST} is damaged.")
    return facts
