"""``python -m api.console make-operator`` as an operator runs it."""

from urllib.parse import parse_qs, urlsplit

from api.core import clock
from api.security.one_time_codes import code_at
from api.security.rights import Role

from tests.back_office import ADMIN, appoint, desk, sign_in
from tests.conftest import House, SignedIn
from tests.console.command_line import acts, run


def secret_in(output: str) -> str:
    """Return the secret of the address that a command has printed."""
    address = urlsplit(output.strip())
    assert (address.scheme, address.netloc) == ("otpauth", "totp")
    return parse_qs(address.query)["secret"][0]


async def roles_of(house: House, member: SignedIn) -> list[str]:
    roles = await house.database.fetch_value(
        "SELECT roles FROM operator WHERE user_id = $1", member.id
    )
    return list(roles)


async def test_a_member_becomes_an_operator_with_a_phone_that_is_shown_once(
    house: House, member: SignedIn
) -> None:
    url = house.settings.database_url
    first = await run("make-operator", "ADA@example.com", "--role", "owner", url=url)
    again = await run("make-operator", member.email, "--role", "shop", url=url)

    assert first.returncode == 0, first.stderr
    assert (again.returncode, again.stdout) == (0, f"{member.email} is an operator.\n")
    assert await roles_of(house, member) == ["owner", "shop"]
    secret = secret_in(first.stdout)
    entered = await sign_in(house, member.email, code_at(secret, clock.now()))
    assert entered.status_code == 200
    assert secret not in first.stderr
    assert [act["action"] for act in acts(first)] == ["make_operator"]
    rows = await house.database.fetch_rows(
        "SELECT action, operator_id, right_used, after_state FROM audit_entry ORDER BY id"
    )
    assert [dict(row) for row in rows] == [
        {
            "action": "make-operator",
            "operator_id": None,
            "right_used": "console",
            "after_state": after,
        }
        for after in (
            {"roles": ["owner"], "totpSecret": "changed"},
            {"roles": ["owner", "shop"]},
        )
    ]


async def test_another_phone_voids_the_old_one_and_ends_the_sessions(house: House) -> None:
    operator = await desk(house, "olu", Role.OWNER)
    url = house.settings.database_url
    answer = await run("make-operator", operator.member.email, "--reset-totp", url=url)

    assert answer.returncode == 0, answer.stderr
    assert (await operator.get(f"{ADMIN}/me")).status_code == 401
    old = await sign_in(house, operator.member.email, operator.code(steps=1))
    new = code_at(secret_in(answer.stdout), clock.now())
    assert old.status_code == 400
    assert (await sign_in(house, operator.member.email, new)).status_code == 200
    assert await roles_of(house, operator.member) == ["owner"]


async def test_the_first_owner_who_has_no_phone_yet_is_given_one(
    house: House, member: SignedIn
) -> None:
    await appoint(house, member, Role.OWNER)
    await house.database.execute("UPDATE operator SET totp_secret = NULL")
    url = house.settings.database_url

    answer = await run("make-operator", member.email, "--role", "shop", "--reset-totp", url=url)

    assert answer.returncode == 0, answer.stderr
    entered = await sign_in(house, member.email, code_at(secret_in(answer.stdout), clock.now()))
    assert entered.status_code == 200
    assert await roles_of(house, member) == ["owner", "shop"]


async def test_nobody_and_nothing_is_refused(house: House, member: SignedIn) -> None:
    url = house.settings.database_url
    nobody = await run("make-operator", "nobody@example.com", "--role", "owner", url=url)
    no_role = await run("make-operator", member.email, url=url)
    no_such_role = await run("make-operator", member.email, "--role", "boss", url=url)

    assert [one.returncode for one in (nobody, no_role, no_such_role)] == [1, 1, 2]
    assert "Nobody has an account with this email." in nobody.stderr
    assert await house.database.fetch_value("SELECT count(*) FROM operator") == 0
