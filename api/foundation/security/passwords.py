"""Password strength and hashing.

The only module that uses passlib.
"""

import asyncio
import functools
import hmac
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from passlib.hash import argon2

from api.foundation.core.processes import lower_priority
from api.foundation.security.fair_queue import FairQueue

COMMON_PASSWORDS = Path(__file__).with_name("common_passwords.txt")
EASY_TO_GUESS = "This password is too easy to guess."
PRODUCT_WORDS = ("King of Fans", "fan", "fans", "club", "football", "soccer", "love", "password")
SHORTEST_WORD = 3
MIN_LETTERS = 3  # besides easily guessed words
MIN_DISTINCT_CHARACTERS = 4  # per password


@functools.cache
def common_passwords() -> frozenset[str]:
    """Return the most common passwords of at least eight characters, in lower case."""
    lines = COMMON_PASSWORDS.read_text(encoding="utf-8").splitlines()
    return frozenset(line for line in lines if line and not line.startswith("# "))


def is_easy_to_guess(password: str, words: Iterable[str] = ()) -> bool:
    """Return whether ``password`` is among the first that an attacker would try.

    It is one of the most common, also in other capitals or surrounded by digits and signs; or it
    has hardly any distinct characters; or few letters remain without ``words`` (names of the
    product, the clubs and the person, in whole or in parts).
    """
    folded = unicodedata.normalize("NFKC", password).casefold()
    squeezed = _squeeze(folded)
    core = folded.strip("".join({sign for sign in folded if not sign.isalpha()}))
    if not common_passwords().isdisjoint({folded, squeezed, core, _squeeze(core)}):
        return True
    if len(set(folded)) < MIN_DISTINCT_CHARACTERS:
        return True
    rest = squeezed
    for word in sorted(_pieces((*PRODUCT_WORDS, *words)), key=len, reverse=True):
        rest = rest.replace(word, "")
    letters = sum(sign.isalpha() for sign in rest)
    return rest != squeezed and letters < MIN_LETTERS


def _pieces(words: Iterable[str]) -> set[str]:
    """Return words and their parts as they would appear in a password."""
    pieces = set()
    for word in words:
        folded = unicodedata.normalize("NFKC", word).casefold()
        subwords = "".join(sign if sign.isalnum() else " " for sign in folded).split()
        pieces |= {_squeeze(folded), *subwords}
    return {piece for piece in pieces if len(piece) >= SHORTEST_WORD}


def _squeeze(text: str) -> str:
    return "".join(sign for sign in text if sign.isalnum())


@dataclass(frozen=True)
class HashingLane:
    """Limits of hashing for one purpose: concurrency, queue length, niceness."""

    threads: int
    queue: int
    niceness: int


class LaneName(StrEnum):
    """The purpose of a hash. Each lane has its own queue."""

    RETURNING = "returning"
    """Sign-ins from a network the member has used before, so never by strangers."""
    CONFIRM = "confirm"
    """Signed-in members confirming their password; one person may have many accounts."""
    SIGN_IN = "sign-in"
    """Sign-ins from other networks, and attempts with unknown emails."""
    RECOVERY = "recovery"
    """Requires a correct code."""
    SIGN_UP = "sign-up"
    """Open to everyone, so it has the lowest priority."""


LANES = {
    LaneName.RETURNING: HashingLane(threads=2, queue=32, niceness=10),
    LaneName.CONFIRM: HashingLane(threads=1, queue=8, niceness=12),
    LaneName.SIGN_IN: HashingLane(threads=2, queue=32, niceness=11),
    LaneName.RECOVERY: HashingLane(threads=1, queue=8, niceness=12),
    LaneName.SIGN_UP: HashingLane(threads=1, queue=16, niceness=15),
}


@dataclass(frozen=True)
class HashingTurn:
    """The lane and party of a password to be hashed (``FairQueue``)."""

    lane: LaneName
    party: str


class PasswordHasher:
    """Argon2id (19 MiB, 2 passes, 1 lane) in its own threads, so that reads stay fast."""

    def __init__(self, *, memory_kib: int = 19_456) -> None:
        self._argon2 = argon2.using(  # type: ignore[no-untyped-call] # untyped library
            type="ID", memory_cost=memory_kib, time_cost=2, parallelism=1
        )
        self._threads = {
            name: ThreadPoolExecutor(
                lane.threads,
                thread_name_prefix=f"password-{name}",
                initializer=functools.partial(lower_priority, lane.niceness),
            )
            for name, lane in LANES.items()
        }
        self._queues = {name: FairQueue(lane.threads, lane.queue) for name, lane in LANES.items()}
        self._dummy_hash: str = self._argon2.hash("nobody has this password")

    async def hash(self, password: str, turn: HashingTurn, *, salt: bytes | None = None) -> str:
        """Hash ``password`` with a random salt, or with ``salt``.

        Raises:
            UnavailableError: too many people are waiting.
        """
        return str(await self._run(turn, self._encode, password, salt))

    async def verify(self, password: str, hashed: str | None, turn: HashingTurn) -> bool:
        """Return whether ``password`` matches; None takes the same time and never matches.

        Raises:
            UnavailableError: too many people are waiting.
        """
        fits = await self._run(turn, self._argon2.verify, password, hashed or self._dummy_hash)
        return bool(fits) and hashed is not None

    def is_outdated(self, hashed: str) -> bool:
        """Return whether ``hashed`` has cost parameters other than the current ones."""
        return bool(self._argon2.needs_update(hashed))

    async def find(
        self, password: str, hashes: Sequence[str], turn: HashingTurn, *, salt: bytes
    ) -> int | None:
        """Return the index of the first of ``hashes`` that ``password`` matches, or None.

        Any number of hashes that were created with ``salt``, even zero, take the same time as one
        ``verify``. Each hash with another salt takes that time again.

        Raises:
            UnavailableError: too many people are waiting.
        """
        encoded = str(await self._run(turn, self._encode, password, salt))
        fitting = [
            place
            for place, hashed in enumerate(hashes)
            if hmac.compare_digest(hashed.encode(), encoded.encode())
        ]
        if fitting:
            return fitting[0]
        for place, hashed in enumerate(hashes):
            if _salted(hashed) != _salted(encoded) and await self.verify(password, hashed, turn):
                return place
        return None

    def _encode(self, password: str, salt: bytes | None) -> str:
        method = self._argon2 if salt is None else self._argon2.using(salt=salt)
        return str(method.hash(password))

    async def _run(self, turn: HashingTurn, work: Callable[..., Any], *arguments: Any) -> Any:
        async with self._queues[turn.lane].turn(turn.party):
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._threads[turn.lane], work, *arguments)

    def close(self) -> None:
        """Stop the threads."""
        for threads in self._threads.values():
            threads.shutdown(wait=False, cancel_futures=True)


def _salted(hashed: str) -> str:
    """Return a hash's parameters and salt: everything before its last part."""
    return hashed.rpartition("$")[0]
