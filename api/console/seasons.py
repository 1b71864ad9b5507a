"""``set-season``: writes a season and its ladder from a TOML file."""

from argparse import Namespace

from api.console.acts import audit_act, record_act
from api.console.opened import open_database, read_toml
from api.foundation.core import clock
from api.foundation.core.config import Settings
from api.games.ranking.errors import SeasonRefusedError
from api.games.ranking.schemas import SeasonPlan
from api.games.ranking.service import seasons


async def set_season(settings: Settings, options: Namespace) -> bool:
    """Write the file's season; print the error on failure."""
    plan = read_toml(options.path, SeasonPlan, whole="the season")
    if plan is None:
        return False
    try:
        async with open_database(settings) as database, database.transaction() as tx:
            is_new = await seasons.set_season(tx, plan, clock.now())
            await audit_act(tx, "set_season", "season", plan.name, is_new=is_new)
    except SeasonRefusedError as refusal:
        print(f"{plan.name}: {refusal.sentence}")
        return False
    record_act("set_season", season=plan.name, is_new=is_new)
    print(f"{plan.name}: {'written' if is_new else 'changed'}, {len(plan.ranks)} ranks.")
    return True
