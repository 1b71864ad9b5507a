"""The home screen's call stays small, however much there is to tell."""

from datetime import timedelta

from api.core import clock
from api.security.rights import Role

from tests.back_office import desk
from tests.conftest import House, SignedIn
from tests.fixtures.matches import MATCHES, moved, shown, written
from tests.today.test_today import read

MOST_GOALS = 30
LONGEST, LONGEST_TEAM = 80, 60


async def test_two_matches_full_of_goals_fit_into_the_day(house: House, member: SignedIn) -> None:
    musa = await desk(house, "musa", Role.GAME_MASTER)
    texts = {"competition": "C" * LONGEST, "round": "R" * LONGEST, "venue": "V" * LONGEST}
    for name, minutes in (("a", -30), ("b", -20), ("c", 24 * 60)):
        kick_off = clock.now() + timedelta(minutes=minutes)
        match = await written(musa, kick_off, away={"name": name * LONGEST_TEAM}, **texts)
        if minutes < 0:
            for goals in (0, MOST_GOALS):
                standing = {"homeGoals": goals, "awayGoals": goals}
                match = await moved(musa, match, state="live", **standing)

    day = await read(member)  # which looks at its size

    assert [one["goals"] for one in day["live"]] == [{"home": MOST_GOALS, "away": MOST_GOALS}] * 2
    assert [one["scored"] for one in day["live"]] == [[], []]
    assert len((await shown(member, f"{MATCHES}/{day['live'][0]['id']}"))["scored"]) == 60
