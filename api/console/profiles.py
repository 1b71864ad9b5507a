"""``reseal-profiles``: re-encrypts everything after a change of PROFILE_KEY.

``make-push-key`` prints a key for signing push messages.
"""

import sys
from argparse import Namespace

from api.app.factories import make_sealer
from api.console.acts import audit_act, record_act
from api.console.opened import open_database
from api.foundation.core.config import Settings
from api.foundation.security.sealing import UnsealableError
from api.foundation.security.web_push import VapidKey
from api.people.operators.service import phones
from api.people.users.service import profile as users_profile


async def reseal_profiles(settings: Settings, _options: Namespace) -> bool:
    """Reseal values of PROFILE_KEY_BEFORE, and return whether all succeeded."""
    sealer = make_sealer(settings)
    try:
        async with open_database(settings) as database:
            resealed = await users_profile.reseal(database, sealer)
            await phones.reseal(database, sealer)
            if resealed:
                async with database.transaction() as tx:
                    await audit_act(tx, "reseal_profiles", "profiles", "all", profiles=resealed)
    except UnsealableError:
        print(
            "king-of-fans: Some profiles open under neither PROFILE_KEY nor PROFILE_KEY_BEFORE.",
            file=sys.stderr,
        )
        return False
    if resealed:
        record_act("reseal_profiles", profiles=resealed)
    print(f"{resealed} profiles resealed." if resealed else "Nothing to reseal.")
    return True


async def make_push_key(_settings: Settings, _options: Namespace) -> bool:
    """Print a new VAPID_PRIVATE_KEY."""
    print(VapidKey.generate())
    return True
