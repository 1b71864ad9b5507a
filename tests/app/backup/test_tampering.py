"""A backup without a key may come from anyone: invalid content is rejected with a message."""

import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from api.app.adapters.media_local import LocalMedia
from api.app.backup.errors import BackupError
from api.app.backup.folder import StoredBackup
from api.app.backup.restoring import require_whole, restore_media
from api.app.backup.sealing import Seal
from api.foundation.core.config import Settings
from api.foundation.media.storage import is_key

from tests.console.command_line import run

PART = {"size_bytes": 1, "sha256": "0" * 64}
KEY = f"shop/{'0' * 32}.webp"


@pytest.fixture
def place(copy_of: Callable[[str | None], Path]) -> Path:
    """A backup without a key."""
    return copy_of(None)


def sign(place: Path, content: bytes) -> None:
    """Write a manifest with the signature of an unencrypted backup."""
    (place / "manifest.json").write_bytes(content)
    (place / "manifest.sum").write_text(hashlib.sha256(content).hexdigest())


def change(place: Path, **facts: Any) -> None:
    found = json.loads((place / "manifest.json").read_bytes())
    sign(place, json.dumps({**found, **facts}).encode())


def relist(place: Path, content: bytes) -> None:
    """Replace the list of media, and its digest in the manifest."""
    (place / "media.json").write_bytes(content)
    parts = json.loads((place / "manifest.json").read_bytes())["parts"]
    part = {"size_bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    change(place, parts={**parts, "media.json": part})


def relist_with(place: Path, key: str) -> None:
    listed = json.loads((place / "media.json").read_bytes())
    relist(place, json.dumps([{**listed[0], "key": key}, *listed[1:]]).encode())


@pytest.mark.parametrize(
    "facts",
    [
        {"counts": None},
        {"counts": {"club": "many"}},
        {"counts": {"club": -1}},
        {"counts": {"club": 10**4000}},
        {"counts": {"club\x1b[2J": 1}},
        {"held_kobo": 1.5},
        {"transfers": True},
        {"migration": ["20260101_0000"]},
        {"migration": "../head"},
        {"server_version": 10**30},
        {"taken_at": "yesterday"},
        {"product": "\x1b]0;title\x07"},
        {"media": "two"},
        {"parts": None},
        {"parts": {}},
        {"parts": {"database.dump": PART}},
        {"parts": {"database.dump": PART, "media.json": {"size_bytes": 1}}},
        {"parts": {"database.dump": PART, "media.json": {**PART, "sha256": "x"}}},
        {"parts": {"database.dump": PART, "media.json": PART, "../../etc/passwd": PART}},
        {"is_encrypted": "false"},
        {"is_encrypted": None},
        {"format": "1"},
        {"unknown": 1},
    ],
    ids=str,
)
def test_a_manifest_of_other_facts_is_damaged(place: Path, facts: dict[str, Any]) -> None:
    change(place, **facts)

    with pytest.raises(BackupError, match=r"^manifest\.json is damaged\.$"):
        StoredBackup(place, Seal(None))


@pytest.mark.parametrize(
    "content",
    [b"", b"[]", b"null", b"{}", b"\xff\xfe", b"[" * 100_000, b"1" * 10_000, b" " * 20_000_000],
    ids=lambda content: repr(content[:5]),
)
def test_a_manifest_of_anything_is_damaged(place: Path, content: bytes) -> None:
    sign(place, content)

    with pytest.raises(BackupError, match=r"^manifest\.json is damaged\.$"):
        StoredBackup(place, Seal(None))


def test_a_manifest_of_a_later_format_is_a_newer_releases(place: Path) -> None:
    change(place, format=2, new=True)

    with pytest.raises(BackupError, match="was written by a newer release"):
        StoredBackup(place, Seal(None))


@pytest.mark.parametrize(
    "key",
    [
        "../../etc/passwd",
        "/etc/passwd",
        "shop/../../../etc/passwd",
        f"./{KEY}",
        f"{KEY}\n",
        f"secrets/{'0' * 32}.webp",
        "",
        7,
        None,
    ],
    ids=repr,
)
async def test_media_have_keys_of_the_media_store_or_the_list_is_damaged(
    place: Path, tmp_path: Path, key: str
) -> None:
    relist_with(place, key)
    backup = StoredBackup(place, Seal(None))

    with pytest.raises(BackupError, match=r"^media\.json is damaged\.$"):
        require_whole(backup)
    with pytest.raises(BackupError, match=r"^media\.json is damaged\.$"):
        await restore_media(backup, LocalMedia(tmp_path / "elsewhere"))


def twice(listed: list[Any]) -> list[Any]:
    return [listed[0], listed[0]]


@pytest.mark.parametrize(
    "changed",
    [twice, lambda listed: listed[:1], lambda _: {}, lambda _: [None], lambda _: [{"key": KEY}]],
)
def test_a_list_that_is_not_the_manifests_is_damaged(
    place: Path, changed: Callable[[list[Any]], Any]
) -> None:
    listed = json.loads((place / "media.json").read_bytes())
    relist(place, json.dumps(changed(listed)).encode())

    with pytest.raises(BackupError, match=r"^media\.json is damaged\.$"):
        require_whole(StoredBackup(place, Seal(None)))


def as_link(path: Path) -> None:
    """Replace a file with a symlink to the same content."""
    elsewhere = Path(*path.parts[: path.parts.index("b")], "outside")
    path.rename(elsewhere)
    path.symlink_to(elsewhere)


def as_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def as_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


@pytest.mark.parametrize("replace", [as_link, as_folder, as_pipe])
@pytest.mark.parametrize("name", ["manifest.json", "manifest.sum", "database.dump", "media.json"])
def test_what_is_no_plain_file_is_not_read(
    place: Path, name: str, replace: Callable[[Path], None]
) -> None:
    replace(place / name)

    with pytest.raises(BackupError, match=rf"^{name} is no plain file\.$"):
        require_whole(StoredBackup(place, Seal(None)))


@pytest.mark.parametrize("name", ["media", "media/shop", "the file"])
async def test_a_link_on_the_way_to_a_medium_is_not_followed(
    place: Path, tmp_path: Path, name: str
) -> None:
    backup = StoredBackup(place, Seal(None))
    (key,) = (medium.key for medium in backup.media() if medium.key.startswith("shop/"))
    assert is_key(key)
    as_link(place / (f"media/{key}" if name == "the file" else name))

    sentences = await restore_media(backup, LocalMedia(tmp_path / "elsewhere"))

    assert f"media/{key} is no plain file." in sentences
    assert not (tmp_path / "elsewhere" / key).exists()


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda place: change(place, counts=[]), "manifest.json is damaged.\n"),
        (lambda place: (place / "manifest.sum").unlink(), "a half one: it has no manifest.\n"),
        (lambda place: (place / "database.dump").unlink(), "database.dump is missing.\n"),
        (lambda place: (place / "media.json").unlink(), "media.json is missing.\n"),
        (lambda place: relist_with(place, "../../x"), "media.json is damaged.\n"),
        (lambda place: as_link(place / "database.dump"), "database.dump is no plain file.\n"),
    ],
)
async def test_the_console_says_it_in_a_sentence(
    place: Path, settings: Settings, spoil: Callable[[Path], None], said: str
) -> None:
    spoil(place)

    answer = await run("restore", place, url=settings.database_url)

    assert (answer.returncode, answer.stderr) == (1, "")
    assert answer.stdout.endswith(said)


def test_a_folder_that_may_not_be_read_is_named(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    backup = StoredBackup(place, Seal(None))

    def refuse(*_: object, **__: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)

    with pytest.raises(BackupError, match=r"^manifest\.json cannot be read: Permission denied\.$"):
        StoredBackup(place, Seal(None))
    assert list(backup.damaged_files()) == [
        "database.dump cannot be read: Permission denied.",
        "media.json cannot be read: Permission denied.",
    ]
