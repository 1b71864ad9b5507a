"""Stored cards: drawn once per content, bounded, and whole or not there."""

import asyncio
import os
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from api.foundation.core.errors import UnavailableError
from api.home.public.cards import cache as module
from api.home.public.cards import design
from api.home.public.cards.cache import MAX_FILES, CardCache

from tests.waiting import until


@pytest.fixture
def cards(tmp_path: Path) -> Iterator[CardCache]:
    cache = CardCache(tmp_path / "cards")
    yield cache
    cache.close()


def picture(text: str = "") -> bytes:
    return b"\xff\xd8" + text.encode() + b"\xff\xd9"


class Drawing:
    """A drawing that counts, and waits on demand."""

    def __init__(self, content: bytes = picture("drawn")) -> None:
        self.content = content
        self.count = 0
        self.at_once = 0
        self.most_at_once = 0
        self.may_end = threading.Event()
        self.may_end.set()

    def __call__(self) -> bytes:
        self.count += 1
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        assert self.may_end.wait(30)
        self.at_once -= 1
        return self.content


def stored(folder: Path) -> list[Path]:
    return sorted((folder / "cards").iterdir())


async def test_fifty_callers_share_one_drawing(cards: CardCache) -> None:
    drawing = Drawing()

    contents = await asyncio.gather(*(cards.get("match/1/7", drawing) for _ in range(50)))

    assert set(contents) == {drawing.content}
    assert drawing.count == 1
    assert await cards.get("match/1/7", drawing) == drawing.content
    assert drawing.count == 1


async def test_one_card_is_drawn_at_a_time_and_the_loop_goes_on(cards: CardCache) -> None:
    drawing = Drawing()
    drawing.may_end.clear()

    calls = [asyncio.create_task(cards.get(f"match/{number}", drawing)) for number in range(5)]
    await until(lambda: drawing.count == 1)
    await asyncio.sleep(0)  # the loop is free while the card is drawn
    drawing.may_end.set()
    await asyncio.gather(*calls)

    assert (drawing.count, drawing.most_at_once) == (5, 1)


async def test_another_version_is_another_card(cards: CardCache) -> None:
    assert await cards.get("match/1/7", lambda: picture("old")) == picture("old")
    assert await cards.get("match/1/8", lambda: picture("new")) == picture("new")


async def test_cards_survive_a_restart(tmp_path: Path, cards: CardCache) -> None:
    await cards.get("club/1/1", lambda: picture("before"))

    again = CardCache(tmp_path / "cards")

    assert await again.get("club/1/1", lambda: picture("after")) == picture("before")
    again.close()


async def test_another_design_is_drawn_again(
    cards: CardCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    await cards.get("club/1/1", lambda: picture("before"))

    monkeypatch.setattr(module, "design_version", lambda: "another")

    assert await cards.get("club/1/1", lambda: picture("after")) == picture("after")


def test_the_design_is_known_by_the_sources_of_its_package() -> None:
    known = design.design_version()
    assert (len(known), design.design_version()) == (12, known)
    assert Path(str(module.__file__)).parent == design.FOLDER
    assert len(list(design.FOLDER.glob("*.py"))) > 5


@pytest.mark.parametrize("left", [b"", b"\xff\xd8cut off", b"something else"])
async def test_a_broken_file_is_drawn_again(tmp_path: Path, cards: CardCache, left: bytes) -> None:
    await cards.get("club/1/1", lambda: picture("first"))
    (path,) = stored(tmp_path)
    path.write_bytes(left)

    assert await cards.get("club/1/1", lambda: picture("second")) == picture("second")
    assert path.read_bytes() == picture("second")


async def test_a_crash_half_way_leaves_no_card(
    tmp_path: Path, cards: CardCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(_path: Path, _target: Path) -> Path:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", crash)
        with pytest.raises(KeyboardInterrupt):
            cards._store("a" * 64 + ".jpg", picture())

    assert stored(tmp_path) == []


async def test_what_dead_processes_left_is_removed(tmp_path: Path, cards: CardCache) -> None:
    await cards.get("club/1/1", picture)
    old, young = (tmp_path / "cards" / f"{name}.jpg.0.part" for name in ("old", "young"))
    old.touch()
    young.touch()
    os.utime(old, (time.time() - 3600,) * 2)

    await cards.get("club/2/1", picture)

    assert not old.exists()
    assert young.exists()


async def test_the_oldest_cards_go(tmp_path: Path) -> None:
    assert MAX_FILES == 2000
    cards = CardCache(tmp_path / "cards", max_files=3)
    for number in range(5):
        await cards.get(f"match/{number}", lambda number=number: picture(str(number)))  # type: ignore[misc]
        for path in stored(tmp_path):
            os.utime(path, ns=(path.stat().st_mtime_ns - 10**9,) * 2)

    assert {path.read_bytes() for path in stored(tmp_path)} == {
        picture("2"),
        picture("3"),
        picture("4"),
    }
    cards.close()


@pytest.mark.parametrize("key", ["../../escape", "/etc/passwd", "a/../../b", "\0", "x" * 5000, ""])
async def test_no_key_leaves_the_folder(tmp_path: Path, cards: CardCache, key: str) -> None:
    await cards.get(key, picture)

    assert os.listdir(tmp_path) == ["cards"]
    assert len(stored(tmp_path)) == 1


async def test_a_failed_drawing_fails_for_its_callers_and_is_tried_again(cards: CardCache) -> None:
    def fail() -> bytes:
        raise ValueError("ink")

    results = await asyncio.gather(
        *(cards.get("club/1/1", fail) for _ in range(3)), return_exceptions=True
    )

    assert [str(result) for result in results] == ["ink"] * 3
    assert await cards.get("club/1/1", picture) == picture()


async def test_a_caller_who_leaves_stops_no_drawing(cards: CardCache) -> None:
    drawing = Drawing()
    drawing.may_end.clear()
    left = asyncio.create_task(cards.get("club/1/1", drawing))
    await until(lambda: drawing.count == 1)
    waiting = asyncio.create_task(cards.get("club/1/1", drawing))

    left.cancel()
    drawing.may_end.set()

    assert await waiting == drawing.content
    assert drawing.count == 1


async def test_too_many_waiting_cards_are_refused(tmp_path: Path) -> None:
    cards = CardCache(tmp_path / "cards", max_waiting=2)
    drawing = Drawing()
    drawing.may_end.clear()
    calls = [asyncio.create_task(cards.get(f"club/{number}", drawing)) for number in range(2)]
    await until(lambda: len(cards._drawing) == 2)

    with pytest.raises(UnavailableError):
        await cards.get("club/3", drawing)

    drawing.may_end.set()
    await asyncio.gather(*calls)
    cards.close()


async def test_members_cards_of_one_caller_delay_a_card_for_everybody_by_one(
    cards: CardCache,
) -> None:
    first = Drawing()
    first.may_end.clear()
    drawn: list[str] = []

    def draw(name: str) -> bytes:
        drawn.append(name)
        return picture(name)

    calls = [asyncio.create_task(cards.get("first", first, stores=False))]
    await until(lambda: first.count == 1)
    names = [f"invite/{number}" for number in range(20)]
    calls += [
        asyncio.create_task(cards.get(name, partial(draw, name), stores=False)) for name in names
    ]
    await until(lambda: len(cards._drawing) == 21)
    calls.append(asyncio.create_task(cards.get("match", partial(draw, "match"))))
    await until(lambda: len(cards._drawing) == 22)
    first.may_end.set()
    await asyncio.gather(*calls)

    assert drawn[:3] == ["invite/0", "match", "invite/1"]


async def test_a_full_disk_costs_no_card(cards: CardCache, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_name: str, _content: bytes) -> None:
        raise OSError(28, "No space left on device")

    store: Callable[[str, bytes], None] = fail
    monkeypatch.setattr(cards, "_store", store)

    assert await cards.get("club/1/1", picture) == picture()
