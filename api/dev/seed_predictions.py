"""Writes predictions of the demo's members, and the points that they have won."""

import random
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import insert

from api.dev.demo import games
from api.dev.demo.clubs import CLUBS
from api.dev.demo.ids import demo_id
from api.dev.demo.matches import DemoMatch, matches
from api.dev.demo.people import PEOPLE, DemoPerson
from api.dev.seed_matches import fixture_id, kick_off_of
from api.foundation.core import clock
from api.foundation.core.ids import new_id
from api.foundation.database.database import Transaction
from api.games.achievements.enums import BadgeKey
from api.games.achievements.rules import FIVE_EXACT
from api.games.achievements.service import badges
from api.games.predictions import rules
from api.games.predictions.enums import PredictionOutcome
from api.games.predictions.models import Prediction
from api.games.predictions.repository import scoring
from api.games.predictions.rules import MatchVerdict
from api.games.ranking.enums import PointSource
from api.games.ranking.repository.awards import Award
from api.games.ranking.service import boards as boards_service

SEED = 1994  # makes all demos identical
PREDICTED_BEFORE, DECIDED_AFTER = timedelta(days=1), timedelta(hours=2)
GOALS, CHANCES = (0, 1, 2, 3), (3, 4, 3, 1)
VERSION = 1


async def write_predictions(tx: Transaction) -> None:
    """Write predictions of league members; those who can sign in have the next ones left."""
    dice = random.Random(SEED)  # noqa: S311 a demo, not a secret
    now = clock.now()
    leagues = {club.slug: club.competition for club in CLUBS}
    decided: dict[tuple[UUID, str], datetime] = {}
    for match in matches():
        kick_off_at = kick_off_of(match, now)
        if match.scored is None and kick_off_at > now + rules.AHEAD:
            continue
        goals = match.scored and (len(match.scored[0]), len(match.scored[1]))
        fans = [
            person
            for person in PEOPLE
            if leagues[person.club] == match.league
            and not person.is_operator
            and not (person.signs_in and goals is None)
        ]
        saved_at = (kick_off_at if goals else now) - PREDICTED_BEFORE
        rows = list(_rows(dice, match, fans, saved_at, goals))
        await tx.execute_many(insert(Prediction), rows)
        if goals is not None:
            await _score(tx, match, kick_off_at, goals, rows)
            one_round = (demo_id("competition", match.league), f"Round {match.round}")
            decided[one_round] = kick_off_at + DECIDED_AFTER
    await _award_badges(tx, decided)


def _rows(
    dice: random.Random,
    match: DemoMatch,
    fans: list[DemoPerson],
    saved_at: datetime,
    goals: tuple[int, int] | None,
) -> Iterator[dict[str, Any]]:
    for person in fans:
        predicted = dice.choices(GOALS, CHANCES)[0], dice.choices(GOALS, CHANCES)[0]
        verdicts = [] if goals is None else [MatchVerdict(goals)]
        outcome, points = rules.judge(predicted, saved_at, verdicts)
        home, away = predicted
        yield {
            "id": demo_id("prediction", f"{person.slug}:{fixture_id(match)}"),
            "fixture_id": fixture_id(match),
            "user_id": demo_id("user", person.slug),
            "club_id": demo_id("club", person.club),
            "home": home,
            "away": away,
            "saved_at": saved_at,
            "outcome": outcome,
            "points": points,
            "settled_version": 0 if goals is None else VERSION,
        }


async def _score(
    tx: Transaction,
    match: DemoMatch,
    kick_off_at: datetime,
    goals: tuple[int, int],
    rows: list[dict[str, Any]],
) -> None:
    season_id = demo_id("season", games.SEASON)
    competition_id = demo_id("competition", match.league)
    round_name, month = f"Round {match.round}", clock.lagos_day(kick_off_at).replace(day=1)
    decided_at = kick_off_at + DECIDED_AFTER
    decision = {
        "fixture_id": fixture_id(match),
        "version": VERSION,
        "home_goals": goals[0],
        "away_goals": goals[1],
        "competition_id": competition_id,
        "round": round_name,
        "month": month,
        "season_id": season_id,
        "decided_at": decided_at,
    }
    await scoring.insert_decision(tx, decision)
    won = [row for row in rows if row["points"]]
    names = {club.slug: club.name for club in CLUBS}
    name = f"{names[match.home]} v {names[match.away]}"
    awards = [_award(row, name, season_id, decided_at) for row in won]
    await boards_service.award_many(tx, awards)
    added = [
        (
            row["user_id"],
            row["club_id"],
            row["points"],
            int(row["outcome"] is PredictionOutcome.EXACT),
            int(row["outcome"] is PredictionOutcome.RESULT),
        )
        for row in won
    ]
    boards = rules.boards_of(competition_id, round_name, month, season_id)
    await scoring.add_totals(tx, boards, clock.lagos_day(decided_at), added)


async def _award_badges(tx: Transaction, decided: dict[tuple[UUID, str], datetime]) -> None:
    """Award the badges of ``decided`` rounds as scoring does, dated when they ended."""
    for (competition_id, name), decided_at in decided.items():
        full = await scoring.list_full_round(tx, competition_id, name, None)
        await badges.earn(tx, ((each, BadgeKey.FULL_ROUND) for each in full), decided_at)
    everybody = [demo_id("user", person.slug) for person in PEOPLE]
    exact = await scoring.count_exact(tx, everybody)
    for key, least in ((BadgeKey.FIRST_EXACT, 1), (BadgeKey.FIVE_EXACT, FIVE_EXACT)):
        earned = [(each, key) for each, count in exact.items() if count >= least]
        await badges.earn(tx, earned, max(decided.values()))


def _award(row: dict[str, Any], match: str, season_id: UUID, decided_at: datetime) -> Award:
    return Award(
        id=new_id(),
        user_id=row["user_id"],
        club_id=row["club_id"],
        season_id=season_id,
        source=PointSource.PREDICTION,
        source_id=rules.award_reference(row["id"], VERSION),
        question_id=None,
        points=row["points"],
        answered=0,
        right=0,
        elapsed_ms=0,
        detail=rules.detail_of(match, row["outcome"], is_correction=False),
        day=clock.lagos_day(decided_at),
        now=decided_at,
    )
