"""What pages for visitors say of fans and of matches."""

from types import SimpleNamespace
from typing import cast
from uuid import UUID

import pytest
from api.games.matches.enums import FixtureState
from api.games.matches.schemas.members import FixtureAnswer
from api.home.public import heads, wording
from api.home.public.schemas import PublicClub, PublicClubPage

from tests.conftest import CLUB_A, CLUB_B


def club(members: int) -> PublicClub:
    return PublicClub(
        id=CLUB_A,
        name="Liverpool",
        cc_name="Premier League",
        emblem="/media/crests/x.svg",
        colours=("#A50D26", "#FFE08A"),
        members=members,
    )


@pytest.mark.parametrize(
    ("members", "said"),
    [
        (0, "Be one of the first Liverpool fans here"),
        (1, "Be one of the first Liverpool fans here"),
        (49, "Be one of the first Liverpool fans here"),
        (50, "50 fans"),
        (1204, "1,204 fans"),
    ],
)
def test_fans_are_counted_from_fifty(members: int, said: str) -> None:
    page = PublicClubPage(
        **dict(club(members)), live=[], next=None, coming=[], results=[], table=[], news=[]
    )

    assert wording.fans_of(club(members)) == said
    assert said in heads.of_club(page, "/c/x", "/og/x", "https://example.com").description


def match(state: FixtureState, home: int | None, away: int | None) -> FixtureAnswer:
    goals = None if home is None else SimpleNamespace(home=home, away=away)
    sides = (SimpleNamespace(club_id=CLUB_A), SimpleNamespace(club_id=CLUB_B))
    answer = SimpleNamespace(state=state, goals=goals, home=sides[0], away=sides[1])
    return cast("FixtureAnswer", answer)


@pytest.mark.parametrize(
    ("state", "home", "away", "club_id", "outcome"),
    [
        (FixtureState.FINISHED, 2, 1, CLUB_A, "Won"),
        (FixtureState.FINISHED, 2, 1, CLUB_B, "Lost"),
        (FixtureState.AWARDED, 0, 3, CLUB_B, "Won"),
        (FixtureState.FINISHED, 1, 1, CLUB_B, "Drawn"),
        (FixtureState.LIVE, 2, 1, CLUB_A, None),
        (FixtureState.ABANDONED, 2, 1, CLUB_A, None),
        (FixtureState.SCHEDULED, None, None, CLUB_A, None),
    ],
)
def test_a_club_has_won_drawn_or_lost_once_a_match_is_over(
    state: FixtureState, home: int | None, away: int | None, club_id: UUID, outcome: str | None
) -> None:
    assert wording.outcome_for(match(state, home, away), club_id) == outcome
