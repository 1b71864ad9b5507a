"""``make-operator``: adds operators without the back office, such as the first one."""

import sys
from argparse import Namespace

from api.app.factories import make_sealer
from api.console.acts import record_act
from api.console.opened import open_database
from api.foundation.core.config import Settings
from api.foundation.core.errors import InvalidFieldError
from api.foundation.security.rights import Role
from api.people.operators.service import operators as operators_service


async def make_operator(settings: Settings, options: Namespace) -> bool:
    """Make a member an operator, add roles, or replace the phone; return whether it succeeded.

    The address with the phone's secret is printed once.
    """
    roles = [Role(role) for role in options.roles]
    try:
        async with open_database(settings) as database, database.transaction() as tx:
            uri = await operators_service.make_operator(
                tx,
                make_sealer(settings),
                options.email,
                roles,
                resets_totp=options.reset_totp,
            )
    except InvalidFieldError as error:
        print(f"king-of-fans: {error.sentence}.", file=sys.stderr)
        return False
    record_act("make_operator", roles=" ".join(roles), has_new_phone=uri is not None)
    print(uri or f"{options.email} is an operator.")
    return True
