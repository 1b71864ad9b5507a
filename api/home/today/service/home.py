"""The home screen, assembled from concurrent reads of each domain."""

import asyncio
from dataclasses import dataclass, field
from datetime import datetime

from api.community.chat.service import rooms as chat_rooms
from api.foundation.core import clock
from api.foundation.database.database import Database
from api.foundation.security.members import Member
from api.games.achievements.service import streaks
from api.games.battle import service as battle
from api.games.battle.enums import DoorState
from api.games.battle.service import BattleStatus
from api.games.matches.service import queries as matches_queries
from api.games.matches.service.context import FixtureContext
from api.games.predictions.enums import PredictState
from api.games.predictions.ports import ToPredict
from api.games.ranking.service import position as ranking_position
from api.games.trivia import rules as trivia_rules
from api.games.trivia.enums import QuestState
from api.games.trivia.service import quest as trivia_quest
from api.games.trivia.service.quest import QuestToday
from api.home.today import rules
from api.home.today.ports import (
    ClubBattles,
    NoClubBattles,
    NoPredictor,
    Predictor,
    RunningClubBattle,
)
from api.home.today.schemas import (
    BattleDoorAnswer,
    ClubBattleDoor,
    Door,
    PredictDoor,
    QuestDoor,
    TodayAnswer,
    TodayStanding,
    UnreadCounts,
)
from api.messaging.notifications import service as notifications
from api.people.users.service import account as users_account


@dataclass(frozen=True)
class TodayContext:
    """Dependencies of the home screen; ``quest_size`` is the number of questions of a quest."""

    database: Database
    fixtures: FixtureContext
    quest_size: int
    predictor: Predictor = field(default_factory=NoPredictor)
    club_battles: ClubBattles = field(default_factory=NoClubBattles)


async def today(context: TodayContext, member: Member, now: datetime) -> TodayAnswer:
    """Return a member's home screen at ``now``."""
    database, user_id = context.database, member.user_id
    (
        (position, streak, seen),
        (quest, battle_status, predict, club_battle),
        (matches, rooms, news),
    ) = await asyncio.gather(
        asyncio.gather(
            ranking_position.season_position(database, member, now),
            streaks.read_streak(database, user_id, now),
            users_account.has_seen_tour(database, user_id),
        ),
        asyncio.gather(
            trivia_quest.quest_today(
                database, user_id, member.club_id, size=context.quest_size, now=now
            ),
            battle.battle_status(database, member, now),
            context.predictor.to_predict(database, member, now),
            context.club_battles.running(database, member, now),
        ),
        asyncio.gather(
            matches_queries.club_matches(context.fixtures, member, now),
            chat_rooms.unread_rooms(database, member),
            notifications.unread(database, user_id),
        ),
    )
    next_day_at = clock.next_midnight(now)
    return TodayAnswer(
        day=clock.lagos_day(now),
        server_now=now,
        next_day_at=next_day_at,
        action=rules.choose(
            quest=quest.state,
            battle=battle_status,
            predict=predict,
            club_battle=club_battle,
            next_day_at=next_day_at,
            now=now,
        ),
        doors=_tiles(quest, battle_status, predict, club_battle, next_day_at),
        me=TodayStanding(
            points=position.points,
            sources=position.sources,
            battle_points=position.battle_points,
            badge=position.badge,
            next_rank=position.next_rank,
            rank_at=position.rank_at,
            club_rank=position.club_rank,
            club_members=position.club_members,
            streak=streak,
        ),
        next_match=matches.coming,
        live=matches.live,
        celebrate=position.celebrations,
        unread=UnreadCounts(
            chat=sum(room.unread for room in rooms.rooms), notifications=news.unread
        ),
        tour_seen=seen,
    )


def _tiles(
    quest: QuestToday,
    battle_status: BattleStatus,
    predict: ToPredict,
    club_battle: RunningClubBattle | None,
    next_day_at: datetime,
) -> list[Door]:
    tiles: list[Door] = [
        _quest_tile(quest, next_day_at),
        _battle_tile(battle_status),
        PredictDoor(
            kind="predict",
            state=predict.state,
            left=predict.left if predict.state is PredictState.OPEN else None,
            closes_at=predict.closes_at if predict.state is PredictState.OPEN else None,
        ),
    ]
    if club_battle is not None:
        tiles.append(ClubBattleDoor(kind="club_battle", path=club_battle.path))
    return tiles


def _quest_tile(quest: QuestToday, next_day_at: datetime) -> QuestDoor:
    if quest.state is QuestState.OPEN:
        return QuestDoor(
            kind="quest",
            state=quest.state,
            questions=quest.total,
            points_each=trivia_rules.POINTS_PER_QUESTION,
        )
    if quest.state is QuestState.NONE:
        return QuestDoor(kind="quest", state=quest.state)
    return QuestDoor(
        kind="quest",
        state=quest.state,
        points=quest.points,
        correct=quest.correct,
        total=quest.total,
        next_at=next_day_at,
    )


def _battle_tile(battle_status: BattleStatus) -> BattleDoorAnswer:
    is_open = battle_status.state is DoorState.OPEN
    return BattleDoorAnswer(
        kind="battle",
        state=battle_status.state,
        left=battle_status.left if is_open else None,
        of=battle_status.of if is_open else None,
        next_at=battle_status.next_at,
        opens_at=battle_status.opens_at,
    )
