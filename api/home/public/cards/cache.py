"""Stores drawn cards in a folder: each is drawn once per content and survives a restart."""

import asyncio
import hashlib
import os
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import structlog

from api.foundation.security.fair_queue import FairQueue
from api.home.public.cards.design import design_version

MAX_FILES = 2000
MAX_RECENT = 128  # cards in memory, of those that are not stored; about 60 kB each
MAX_WAITING = 64  # cards to draw; a crawler asks for few at once
CONTENT, PERSONAL = "content", "personal"  # those who wait to be drawn
ABANDONED_SECONDS = 600  # a temporary file that old has lost its process
START, END = b"\xff\xd8", b"\xff\xd9"  # of a JPEG
SUFFIX, UNFINISHED = ".jpg", ".part"

log = structlog.get_logger()


class CardCache:
    """Cards by key; a key names the kind of content, its id and its version.

    A new release that draws differently draws all cards again.

    One card is drawn at a time, on a thread, so that members' calls go on. What everybody sees
    takes turns with what shows a member, of which one caller can ask for many. Several processes
    may share ``folder``; each may then draw a card once.
    """

    def __init__(
        self, folder: Path, *, max_files: int = MAX_FILES, max_waiting: int = MAX_WAITING
    ) -> None:
        self._folder = folder
        self._max_files = max_files
        # Not of lower priority: it would hold Python's lock for longer while others use the CPU.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="card")
        self._turns = FairQueue(1, max_waiting - 1)
        self._drawing: dict[str, asyncio.Task[bytes]] = {}
        self._recent: OrderedDict[str, bytes] = OrderedDict()

    async def get(self, key: str, draw: Callable[[], bytes], *, stores: bool = True) -> bytes:
        """Return the card under ``key``; ``draw`` runs on a thread if it is not known yet.

        With ``stores`` False the card stays in memory for a while and never reaches the disk: what
        shows a member must not outlive their account.

        Concurrent calls with a key share one drawing, which continues if a caller is cancelled.
        What ``draw`` raises reaches all of them, and the next call draws again.

        Raises:
            UnavailableError: too many cards are waiting to be drawn.
        """
        name = hashlib.sha256(f"{design_version()} {key}".encode()).hexdigest() + SUFFIX
        if name in self._recent:
            self._recent.move_to_end(name)
            return self._recent[name]
        if stores and name not in self._drawing:
            stored = await asyncio.to_thread(_read, self._folder / name)
            if stored is not None:
                return stored
        task = self._drawing.get(name)  # another caller may have begun meanwhile
        if task is None:
            task = asyncio.create_task(self._draw(name, draw, stores=stores))
            self._drawing[name] = task
            task.add_done_callback(lambda done: self._finish(name, done))
        return await asyncio.shield(task)

    def close(self) -> None:
        """Stop the thread; what waits is not drawn any more."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def _draw(self, name: str, draw: Callable[[], bytes], *, stores: bool) -> bytes:
        loop = asyncio.get_running_loop()
        async with self._turns.turn(CONTENT if stores else PERSONAL):
            if stores:
                return await loop.run_in_executor(self._thread, self._draw_and_store, name, draw)
            content = await loop.run_in_executor(self._thread, draw)
        self._recent[name] = content
        while len(self._recent) > MAX_RECENT:
            self._recent.popitem(last=False)
        return content

    def _finish(self, name: str, done: asyncio.Task[bytes]) -> None:
        del self._drawing[name]
        if not done.cancelled():
            done.exception()  # retrieved: its callers may all have left

    def _draw_and_store(self, name: str, draw: Callable[[], bytes]) -> bytes:
        stored = _read(self._folder / name)  # between the caller's look and this one's turn
        if stored is not None:
            return stored
        content = draw()
        try:
            self._store(name, content)
        except OSError:  # a full disk: the card is shown, and drawn again next time
            log.warning("card_not_stored", exc_info=True)
        return content

    def _store(self, name: str, content: bytes) -> None:
        """Write a card under a temporary name and rename it; remove the oldest above the limit."""
        self._folder.mkdir(parents=True, exist_ok=True)
        unfinished = self._folder / f"{name}.{secrets.token_hex(8)}{UNFINISHED}"
        try:
            with unfinished.open("xb") as target:
                target.write(content)
                target.flush()
                os.fsync(target.fileno())
            unfinished.replace(self._folder / name)
        except BaseException:
            unfinished.unlink(missing_ok=True)
            raise
        self._tidy()

    def _tidy(self) -> None:
        cards: list[tuple[int, str]] = []
        long_ago = time.time() - ABANDONED_SECONDS
        with os.scandir(self._folder) as entries:
            for entry in entries:
                try:
                    changed = entry.stat(follow_symlinks=False)
                except FileNotFoundError:  # another process tidies, too
                    continue
                if entry.name.endswith(SUFFIX):
                    cards.append((changed.st_mtime_ns, entry.name))
                elif entry.name.endswith(UNFINISHED) and changed.st_mtime < long_ago:
                    Path(entry.path).unlink(missing_ok=True)
        for _, name in sorted(cards)[: max(0, len(cards) - self._max_files)]:
            (self._folder / name).unlink(missing_ok=True)


def _read(path: Path) -> bytes | None:
    """Return a stored card; None if there is none, or if it is empty or cut off."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    return content if content.startswith(START) and content.endswith(END) else None
