"""The demo's matches: each league's four clubs meet twice, in six weekly rounds."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

from api.dev.demo.clubs import CLUBS

SEASON = "Demo Season 2026"
ROUNDS_PLAYED = 3
NEXT_KICK_OFF = timedelta(days=2)  # after the demo is written, for clubs of members who can sign in
TODAY = timedelta(hours=3)  # after the demo is written, for the others of their leagues
SEED = 1976  # makes all demos identical
# Pairings of the first three rounds by places in the league; then with home and away swapped.
PAIRS = (((0, 1), (2, 3)), ((2, 0), (3, 1)), ((0, 3), (1, 2)))
GOALS, CHANCES = (0, 1, 2, 3), (3, 4, 2, 1)


@dataclass(frozen=True)
class DemoMatch:
    """A match between two clubs of a league, by their slugs.

    ``after`` is the time from writing the demo to the kick-off. ``scored`` has the minutes of both
    teams' goals, None for a future match.
    """

    league: str
    round: int
    home: str
    away: str
    after: timedelta
    scored: tuple[tuple[int, ...], tuple[int, ...]] | None


def matches() -> Iterator[DemoMatch]:
    """Return every match of both leagues, round by round, with made-up results."""
    dice = random.Random(SEED)  # noqa: S311 a demo, not a secret
    for league in leagues():
        slugs = [club.slug for club in CLUBS if club.competition == league]
        rounds = (*PAIRS, *(tuple((away, home) for home, away in pairs) for pairs in PAIRS))
        for number, pairs in enumerate(rounds, start=1):
            for place, (home, away) in enumerate(pairs):
                is_played = number <= ROUNDS_PLAYED
                yield DemoMatch(
                    league=league,
                    round=number,
                    home=slugs[home],
                    away=slugs[away],
                    after=(TODAY if place else NEXT_KICK_OFF)
                    + timedelta(weeks=number - ROUNDS_PLAYED - 1),
                    scored=(_minutes(dice), _minutes(dice)) if is_played else None,
                )


def leagues() -> list[str]:
    """Return the leagues of the demo's clubs."""
    return list(dict.fromkeys(club.competition for club in CLUBS if club.competition))


def _minutes(dice: random.Random) -> tuple[int, ...]:
    goals = dice.choices(GOALS, CHANCES)[0]
    return tuple(sorted(dice.sample(range(1, 91), goals)))
