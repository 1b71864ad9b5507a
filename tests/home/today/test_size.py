"""The response of the home screen stays small, however much it contains."""

from datetime import timedelta

from api.foundation.core import clock
from api.foundation.security.rights import Role

from tests.back_office import operator_client
from tests.conftest import RunningApp, SignedIn
from tests.games.matches.matches import MATCHES, moved, shown, written
from tests.home.today.test_today import read

MAX_GOALS = 30
MAX_NAME_LENGTH, MAX_TEAM_LENGTH = 80, 60


async def test_two_matches_full_of_goals_fit_into_the_day(
    app: RunningApp, member: SignedIn
) -> None:
    musa = await operator_client(app, "musa", Role.GAME_MASTER)
    texts = {
        "competition": "C" * MAX_NAME_LENGTH,
        "round": "R" * MAX_NAME_LENGTH,
        "venue": "V" * MAX_NAME_LENGTH,
    }
    for name, minutes in (("a", -30), ("b", -20), ("c", 24 * 60)):
        kick_off = clock.now() + timedelta(minutes=minutes)
        match = await written(musa, kick_off, away={"name": name * MAX_TEAM_LENGTH}, **texts)
        if minutes < 0:
            for goals in (0, MAX_GOALS):
                score = {"homeGoals": goals, "awayGoals": goals}
                match = await moved(musa, match, state="live", **score)

    day = await read(member)  # checks its size

    assert [one["goals"] for one in day["live"]] == [{"home": MAX_GOALS, "away": MAX_GOALS}] * 2
    assert [one["scored"] for one in day["live"]] == [[], []]
    assert len((await shown(member, f"{MATCHES}/{day['live'][0]['id']}"))["scored"]) == 60
