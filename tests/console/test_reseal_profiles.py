"""``python -m api.console reseal-profiles`` as an operator runs it."""

from tests.community.moments.forms import profile_form
from tests.conftest import RunningApp, SignedIn
from tests.console.command_line import acts, run


async def test_a_changed_key_takes_every_profile_over(app: RunningApp, member: SignedIn) -> None:
    url, old = app.settings.database_url, app.settings.profile_key.get_secret_value()
    await member.client.post(
        "/api/v1/users/updatekyc",
        headers=member.headers,
        **profile_form({"settlementDetails": {"bankCode": "058"}}),
    )

    lost = await run("reseal-profiles", url=url, PROFILE_KEY="n" * 32)
    first = await run("reseal-profiles", url=url, PROFILE_KEY="n" * 32, PROFILE_KEY_BEFORE=old)
    again = await run("reseal-profiles", url=url, PROFILE_KEY="n" * 32)

    assert lost.returncode == 1
    assert "neither PROFILE_KEY nor PROFILE_KEY_BEFORE" in lost.stderr
    assert (first.returncode, first.stdout) == (0, "1 profiles resealed.\n")
    assert acts(first) == [{"action": "reseal_profiles", "profiles": 1}]
    assert (again.returncode, again.stdout, again.stderr) == (0, "Nothing to reseal.\n", "")
