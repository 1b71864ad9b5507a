"""``set-season``: write a season and its ladder from a TOML file."""

import tomllib
from argparse import Namespace

from pydantic import ValidationError

from api.console.acts import record_act
from api.core import clock
from api.core.config import Settings
from api.database.database import Database
from api.http.wire import explain
from api.ranking import service
from api.ranking.errors import SeasonRefusedError
from api.ranking.schemas import SeasonPlan


async def set_season(settings: Settings, options: Namespace) -> bool:
    """Write the season that the file describes; say why when it cannot be."""
    try:
        plan = SeasonPlan.model_validate(tomllib.loads(options.path.read_text(encoding="utf-8")))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        print(f"{options.path}: {error}")
        return False
    except ValidationError as error:
        _, fields = explain(error.errors(include_url=False, include_input=False))
        for name, sentence in fields.items():
            print(f"{options.path}: {name or 'the season'}: {sentence}")
        return False
    database = Database(
        settings.database_url, runtime_role=settings.database_runtime_role, pool_size=1
    )
    try:
        async with database.transaction() as tx:
            is_new = await service.set_season(tx, plan, clock.now())
    except SeasonRefusedError as refusal:
        print(f"{plan.name}: {refusal.sentence}")
        return False
    finally:
        await database.close()
    record_act("set_season", season=plan.name, is_new=is_new)
    print(f"{plan.name}: {'written' if is_new else 'changed'}, {len(plan.ranks)} ranks.")
    return True
