"""Writes about members, clubs and moments."""

from tests.backoffice.oversight.writes import WHY, Sent, Stage, example
from tests.community.moments.forms import picture
from tests.community.moments.test_moderation import posted
from tests.conftest import CLUB_A, CLUB_B


@example("POST members/{user_id}/suspend")
async def suspend(stage: Stage) -> Sent:
    return Sent({"user_id": stage.member.id}, WHY)


@example("POST members/{user_id}/restore")
async def restore(stage: Stage) -> Sent:
    await stage.olu.post(f"/api/v1/admin/members/{stage.member.id}/suspend", WHY)
    return Sent({"user_id": stage.member.id}, WHY)


@example("POST members/{user_id}/revoke-sessions")
async def revoke_sessions(stage: Stage) -> Sent:
    return Sent({"user_id": stage.member.id}, WHY)


@example("POST members/{user_id}/club")
async def change_club(stage: Stage) -> Sent:
    return Sent({"user_id": stage.member.id}, {"clubId": str(CLUB_B)} | WHY)


@example("POST members/{user_id}/notes")
async def note_on_member(stage: Stage) -> Sent:
    return Sent({"user_id": stage.member.id}, {"text": "Prefers to be called after 5 p.m."})


@example("POST clubs")
async def create_club(_stage: Stage) -> Sent:
    colours = ["#00AA00", "#FFD700"]
    return Sent(body={"name": "Kano Pillars", "ccName": "NPFL", "colours": colours})


@example("PATCH clubs/{club_id}")
async def rename_club(_stage: Stage) -> Sent:
    return Sent({"club_id": CLUB_A}, {"version": 1, "name": "Enyimba International"})


@example("PUT clubs/{club_id}/crest")
async def change_crest(_stage: Stage) -> Sent:
    return Sent({"club_id": CLUB_A}, files={"file": ("a.png", picture("PNG"), "image/png")})


@example("POST moments/{moment_id}/hide")
async def hide_moment(stage: Stage) -> Sent:
    return Sent({"moment_id": (await posted(stage.member))["id"]}, WHY)


@example("POST moments/{moment_id}/restore")
async def restore_moment(stage: Stage) -> Sent:
    moment = (await posted(stage.member))["id"]
    await stage.olu.post(f"/api/v1/admin/moments/{moment}/hide", WHY)
    return Sent({"moment_id": moment}, WHY)
