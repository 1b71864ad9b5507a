"""Backup folders: written under a temporary name, synced, renamed; verified when read."""

import errno
import fcntl
import hashlib
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import BinaryIO

from api.app.backup.errors import BackupError
from api.app.backup.manifest import (
    FORMAT,
    MANIFEST,
    MEDIA,
    MEDIA_LIST,
    SIGNATURE,
    Manifest,
    Medium,
    Part,
    PartName,
    read_head,
    read_manifest,
    read_media_list,
    write_manifest,
)
from api.app.backup.sealing import ByteSource, Seal

UNFINISHED = ".unfinished-"
LOCK = ".lock"
NO_PLAIN_FILE = {errno.ELOOP, errno.ENOTDIR, errno.ENXIO}  # a symlink in the path; a socket
LARGEST_MANIFEST_BYTES = 1024 * 1024


class MissingPartError(BackupError):
    """A file of the backup is missing."""


class NewBackup:
    """A folder that is being written; it is renamed when complete."""

    def __init__(self, folder: Path, seal: Seal) -> None:
        self._folder = folder
        self._seal = seal
        self.parts: dict[PartName, Part] = {}

    def write(self, name: str, source: ByteSource) -> Part:
        """Write and sync one file; return its description."""
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
        return Part(size_bytes=size, sha256=found.hexdigest())

    def write_manifest(self, manifest: Manifest) -> None:
        """Write the manifest with its proof."""
        content = write_manifest(manifest)
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
    """Yield a folder to write; it is renamed to ``place`` at the end, and removed on failure.

    Raises:
        BackupError: ``place`` exists, or another backup is being written beside it.
        OSError: it cannot be written.
    """
    place = place.absolute()
    place.parent.mkdir(parents=True, exist_ok=True)
    with _only_writer(place.parent):
        if place.exists():
            raise BackupError(f"{place} is there already. Nothing was overwritten.")
        for left in place.parent.glob(f"{UNFINISHED}*"):  # by a killed process
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
    """A completed backup.

    Raises:
        BackupError: it is no backup, or its manifest is damaged.
    """

    def __init__(self, place: Path, seal: Seal) -> None:
        self.place = place
        self.seal = seal
        try:
            content, signature = self._read_small(MANIFEST), self._read_small(SIGNATURE)
        except MissingPartError:
            raise BackupError(f"{place} is no backup, or a half one: it has no manifest.") from None
        format_, is_encrypted = read_head(content)
        if seal.is_sealing and not is_encrypted:
            raise BackupError(f"{place} is not encrypted, and BACKUP_KEY is set: unset it first.")
        if is_encrypted and not seal.is_sealing:
            raise BackupError(f"{place} is encrypted: set BACKUP_KEY.")
        if signature.strip() != seal.sign(content).encode():
            reason = ", or BACKUP_KEY is not its key" if seal.is_sealing else ""
            raise BackupError(f"{MANIFEST} is damaged{reason}.")
        if format_ != FORMAT:
            raise BackupError(f"{place} was written by a newer release.")
        self.manifest = read_manifest(content)

    @property
    def size_bytes(self) -> int:
        """The backup's total size."""
        found = (path.lstat() for path in self.place.rglob("*"))
        return sum(facts.st_size for facts in found if stat.S_ISREG(facts.st_mode))

    def open(self, name: str) -> Iterator[bytes]:
        """Yield the content of a file.

        Raises:
            BackupError: it is missing, damaged, not a regular file, or unreadable.
        """
        with self._reading(name) as source:
            yield from self.seal.open(source, name)

    def media(self) -> list[Medium]:
        """Return the list of media.

        Raises:
            BackupError: it is damaged.
        """
        return read_media_list(b"".join(self.open(MEDIA_LIST)), self.manifest.media)

    def damaged_files(self) -> Iterator[str]:
        """Verify every byte of dump and media list, and yield a sentence per damaged file."""
        for name, part in self.manifest.parts.items():
            found, size = hashlib.sha256(), 0
            try:
                with self._reading(name) as source:
                    while piece := source.read(1024 * 1024):
                        found.update(piece)
                        size += len(piece)
            except BackupError as error:
                yield str(error)
                continue
            if (size, found.hexdigest()) != (part.size_bytes, part.sha256):
                yield f"{name} is damaged."

    def damaged_media(self) -> Iterator[tuple[Medium, str]]:
        """Verify every byte of the copied media, and yield those that differ from the list."""
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

    def _read_small(self, name: str) -> bytes:
        with self._reading(name) as source:
            content = source.read(LARGEST_MANIFEST_BYTES + 1)
        if len(content) > LARGEST_MANIFEST_BYTES:
            raise BackupError(f"{name} is damaged.")
        return content

    @contextmanager
    def _reading(self, name: str) -> Iterator[BinaryIO]:
        """Open a file for reading and translate errors; the block must only read."""
        try:
            with _open_plain(self.place, name) as source:
                yield source
        except (FileNotFoundError, NotADirectoryError):
            raise MissingPartError(f"{name} is missing.") from None
        except OSError as error:
            reason = error.strerror or type(error).__name__
            raise BackupError(f"{name} cannot be read: {reason}.") from None


def _open_plain(place: Path, name: str) -> BinaryIO:
    """Open a regular file below a folder, without following symlinks or blocking on pipes.

    Raises:
        BackupError: it is a symlink, a folder or a device, or lies behind a symlink.
        OSError: it is missing or unreadable.
    """
    *folders, last = name.split("/")
    with ExitStack() as opened:
        here = os.open(place, os.O_RDONLY | os.O_DIRECTORY)
        opened.callback(os.close, here)
        try:
            for folder in folders:
                here = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=here)
                opened.callback(os.close, here)
            found = os.open(last, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=here)
        except OSError as error:
            if error.errno in NO_PLAIN_FILE:
                raise BackupError(f"{name} is no plain file.") from None
            raise
    if not stat.S_ISREG(os.fstat(found).st_mode):
        os.close(found)
        raise BackupError(f"{name} is no plain file.")
    return os.fdopen(found, "rb")
