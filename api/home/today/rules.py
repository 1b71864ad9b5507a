"""Chooses the suggested action of the home screen; no database access."""

from datetime import datetime, time, timedelta

from api.games.battle.enums import DoorState
from api.games.battle.service import BattleStatus
from api.games.predictions.enums import PredictState
from api.games.predictions.ports import ToPredict
from api.games.trivia.enums import QuestState
from api.home.today.enums import ActionKind
from api.home.today.ports import RunningClubBattle
from api.home.today.schemas import TodayAction

BATTLE_PATH = "/battle-zone"
QUEST_PATH = "/trivia-questions"
PREDICT_PATH = "/predictions"
DONE_PATH = "/leaderboard"
PREDICT_SOON = timedelta(hours=48)

# Hours of Lagos; a worker that was down still notifies of the quest until noon.
QUEST_FROM, QUEST_UNTIL = time(8), time(12)
TOP_FROM, TOP_UNTIL = time(18), time(22)
ACTIVE_WINDOW = timedelta(hours=72)  # sessions unused for longer have expired


def choose(
    *,
    quest: QuestState,
    battle: BattleStatus,
    predict: ToPredict,
    club_battle: RunningClubBattle | None,
    next_day_at: datetime,
    now: datetime,
) -> TodayAction:
    """Return the first available action, ordered by which offer ends first."""
    if battle.state is DoorState.RUNNING:
        return _action(ActionKind.BATTLE, BATTLE_PATH, battle.until)
    if club_battle is not None:
        return _action(ActionKind.CLUB_BATTLE, club_battle.path, club_battle.ends_at)
    if quest is QuestState.OPEN:
        return _action(ActionKind.QUEST, QUEST_PATH, next_day_at)
    if battle.state is DoorState.OPEN:
        return _action(ActionKind.BATTLE, BATTLE_PATH, battle.until)
    closes_at = predict.closes_at
    if predict.state is PredictState.OPEN and closes_at and closes_at <= now + PREDICT_SOON:
        return _action(ActionKind.PREDICT, PREDICT_PATH, closes_at)
    return _action(ActionKind.DONE, DONE_PATH, next_day_at)


def _action(kind: ActionKind, path: str, until: datetime | None) -> TodayAction:
    return TodayAction(kind=kind, path=path, until=until)


def title_of_rank(rank: str) -> str:
    """Return a rank's display name: ``King of Fans``."""
    return " ".join(word if word == "of" else word.capitalize() for word in rank.split("-"))
