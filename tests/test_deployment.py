"""The deployment files match the code."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped] # its stubs are not worth a dependency
from api.app.adapters import push_services
from api.app.adapters.gateway_calls import MAX_RESPONSE_BYTES, WHOLE_CALL_SECONDS
from api.community.chat.rules import LIST_SECONDS, MAX_LISTED_USERS
from api.community.moments.service import posting as moments_posting
from api.foundation.client_errors import service as client_errors
from api.foundation.core.config import Settings
from api.foundation.core.money import Kobo, format_naira
from api.foundation.database.connections import SESSION_SETTINGS
from api.foundation.database.lanes import MAX_WAIT_SECONDS
from api.foundation.database.rate_limit import FAILED_SIGN_INS, REFUSED_CALLS, SIGN_UPS
from api.foundation.database.sign_in_limits import MAX_UNKNOWN_ATTEMPTS, PER_NETWORK
from api.foundation.http import body_limits, uploads
from api.foundation.http.dependencies import MEMBER_WRITES
from api.foundation.media import pictures
from api.foundation.office_settings.rules import (
    ADJUSTMENT_DAY_LIMIT,
    ADJUSTMENT_LIMIT,
    CONFIRM_DAY_LIMIT,
    REFUND_DAY_LIMIT,
    REFUND_LIMIT,
    TRANSFER_UNITS_LIMIT,
    TRANSFER_VALUE_LIMIT,
)
from api.foundation.realtime import connections
from api.foundation.realtime.engine import QUEUED_PACKETS_LIMIT
from api.foundation.realtime.namespaces import SOCKETS_PER_MEMBER
from api.foundation.realtime.packets import BUFFER_BYTES_LIMIT
from api.foundation.security import challenges
from api.foundation.security.events import SecurityEvent
from api.foundation.security.identity import REMEMBER_SECONDS
from api.foundation.security.passwords import (
    LANES,
    HashingTurn,
    LaneName,
    PasswordHasher,
    common_passwords,
)
from api.foundation.security.tokens import TOKEN_LIFE
from api.foundation.server.deadlines import (
    BODY_GRACE_SECONDS,
    HEAD_BYTES,
    HEADER_SECONDS,
    SLOWEST_BODY_BYTES_PER_SECOND,
)
from api.money.payments.service.context import TIMEOUT_SECONDS
from api.people.auth import rules
from api.people.auth.live import RESETS_WAITING, RESETS_WAITING_OF_ONE
from api.people.operators.rules import REFUSED_SIGN_INS
from api.people.users.service.profile import LARGEST_AVATAR_BYTES
from api.shop.rules import (
    MAX_OPEN_ORDERS,
    NEW_ACCOUNT_AGE,
    NEW_ACCOUNT_UNITS,
    PROOF_REVIEW_PERIOD,
    TRANSFER_WINDOW,
)

ROOT = Path(__file__).resolve().parents[1]
SETTING_LINE = re.compile(r"^# ([A-Z][A-Z0-9_]*)=(.*)$", re.MULTILINE)
WITHOUT_DEFAULT = {
    "ADMIN_CODE_REUSE",
    *("VALKEY_URL", "SMTP_URL", "TOKEN_KEY", "CODE_KEY", "PAYSTACK_SECRET_KEY"),
    *("PROFILE_KEY", "PROFILE_KEY_BEFORE", "METRICS_ADDRESSES"),
    *("S3_BUCKET", "S3_ENDPOINT_URL", "S3_ACCESS_KEY", "S3_SECRET_KEY"),
    *("BACKUP_DIR", "BACKUP_DATABASE_URL", "BACKUP_PROOF_URL", "BACKUP_KEY"),
    *("TRANSFER_ACCOUNT_NAME", "TRANSFER_ACCOUNT_NUMBER", "TRANSFER_BANK"),
}
# Older versions have known vulnerabilities.
FLOORS = {
    "python-jose": (3, 5, 0),
    "python-socketio": (5, 16, 2),
    "python-engineio": (4, 13, 2),
    "starlette": (1, 5, 1),
    "python-multipart": (0, 0, 27),
    "h11": (0, 16),
}
SETTING_NAMES = {name.upper() for name in Settings.model_fields}


def documented_settings() -> dict[str, str]:
    return dict(SETTING_LINE.findall((ROOT / ".env.example").read_text(encoding="utf-8")))


def compose() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text("utf-8"))
    return loaded


def test_the_example_environment_documents_every_setting_and_no_other() -> None:
    assert set(documented_settings()) == SETTING_NAMES


def test_the_operations_page_lists_every_setting() -> None:
    page = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")

    assert set(re.findall(r"^\| `([A-Z][A-Z0-9_]*)` \|", page, re.MULTILINE)) == SETTING_NAMES


def test_the_documented_defaults_are_the_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in SETTING_NAMES:
        monkeypatch.delenv(name, raising=False)
    defaults = Settings(_env_file=None)
    for name, value in documented_settings().items():
        if name not in WITHOUT_DEFAULT:
            monkeypatch.setenv(name, value)

    assert Settings(_env_file=None) == defaults


def test_compose_sets_only_settings_that_exist() -> None:
    services = compose()["services"]

    for name in ("app", "prepare"):
        assert set(services[name]["environment"]) <= SETTING_NAMES


def test_compose_keeps_its_data_in_volumes_and_waits_for_what_it_needs() -> None:
    services = compose()["services"]

    assert services["postgres"]["image"] == "postgres:18"
    assert services["postgres"]["volumes"] == ["postgres:/var/lib/postgresql"]
    for name, service in services.items():
        for needed in service.get("depends_on", {}):
            assert needed in services, f"{name} waits for {needed}, which is not there"
        for volume in service.get("volumes", []):
            assert volume.partition(":")[0] in compose()["volumes"]


def test_the_image_runs_as_nobody_special_and_installs_the_runtime_lock_alone() -> None:
    dockerfile = (ROOT / "Dockerfile").read_text(encoding="utf-8")

    assert re.findall(r"^USER (\w+)", dockerfile, re.MULTILINE)[-1] == "fans"
    assert re.findall(r"requirements/(\S+)", dockerfile) == ["runtime.lock"]
    assert "/healthz" in dockerfile


def test_the_context_of_the_image_names_only_files_that_exist() -> None:
    kept = [
        line[1:]
        for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
        if line.startswith("!")
    ]

    assert kept
    assert [path for path in kept if not (ROOT / path).exists()] == []


def test_the_gate_is_the_command_of_the_readme() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")

    assert script.splitlines()[-1] == "exec python3 run.py test"


def locked(group: str) -> dict[str, tuple[int, ...]]:
    """Return the versions of a lock file by name."""
    text = (ROOT / "requirements" / f"{group}.lock").read_text(encoding="utf-8")
    found = re.findall(r"^([a-z0-9._-]+)==(\d+(?:\.\d+)*)", text, re.MULTILINE)
    return {name: tuple(int(part) for part in version.split(".")) for name, version in found}


def test_locked_versions_are_above_the_floors_of_known_weaknesses() -> None:
    versions = locked("runtime")

    for name, floor in FLOORS.items():
        assert versions[name] >= floor, name


def test_every_locked_package_is_named_with_its_hashes_and_no_address() -> None:
    for lock in (ROOT / "requirements").glob("*.lock"):
        text = lock.read_text(encoding="utf-8")
        packages = re.findall(r"^\S+==.*$", text, re.MULTILINE)
        assert packages
        assert len(re.findall(r"^\S+==.*\\\n\s+--hash=sha256:", text, re.MULTILINE)) == len(
            packages
        )
        assert "://" not in text


def test_what_is_installed_is_official_and_locked_and_runs_no_scripts() -> None:
    dockerfile = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    npm = json.loads((ROOT / "web" / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    bases = set(re.findall(r"^FROM (\S+)", dockerfile, re.MULTILINE))
    stages = set(re.findall(r"^FROM \S+ AS (\S+)", dockerfile, re.MULTILINE))
    (web,) = re.findall(r"^RUN npm .*ci.*", dockerfile, re.MULTILINE)
    (server,) = re.findall(r"^RUN .*pip .*install.*", dockerfile, re.MULTILINE)

    assert {base.partition(":")[0] for base in bases - stages} == {"node", "python"}
    assert "--ignore-scripts" in web
    assert "--require-hashes --only-binary :all:" in server
    assert [name for name, part in npm.items() if name and "integrity" not in part] == []
    assert [name for name, part in npm.items() if "resolved" in part] == []


async def test_the_security_page_says_the_numbers_of_the_code() -> None:
    page = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    hasher = PasswordHasher()
    try:
        _, algorithm, _, cost, *_ = (
            await hasher.hash("a long password", HashingTurn(LaneName.SIGN_UP, "tests"))
        ).split("$")
    finally:
        hasher.close()
    memory_kib, passes, lanes = (int(part.partition("=")[2]) for part in cost.split(","))
    returning, confirm, sign_in, recovery, sign_up = (LANES[name] for name in LaneName)
    idle_hours = Settings.model_fields["session_idle_hours"].default
    funding = {
        name: Settings.model_fields[f"funding_{name}_naira"].default
        for name in ("min", "max", "daily_max")
    }
    limits = {
        name: Settings.model_fields[f"limit_{name}"].default for name in ("sockets", "uploads")
    }
    minutes = {
        name: int(getattr(rules, name).total_seconds() // 60)
        for name in ("CODE_LIFE", "ATTEMPT_MEMORY", "MAX_DELAY")
    }

    for statement in (
        f"{rules.CODE_LENGTH} digits, {minutes['CODE_LIFE']} minutes, {rules.TRIES_PER_CODE} tries",
        f"| tries of one mailed code | {rules.TRIES_PER_CODE}, counted",
        f"one in {rules.CODE_PAUSE.seconds} s, {rules.CODES_PER_DAY} in 24 h",
        f"one in {rules.RESET_PAUSE.window.seconds} s and {rules.RESETS_PER_NETWORK.hits} in 24 h "
        f"from one network; {rules.RESETS_PER_EMAIL.hits} in 24 h from all",
        f"apart from its sign-ins | {rules.REFUSED_RESETS.hits} in a minute |",
        f"| refused activations of one network | {rules.REFUSED_ACTIVATIONS.hits} in a minute |",
        f"| requests for a reset code of one network | {rules.RESET_MAILS.hits} in a minute |",
        f"at the back office | {REFUSED_SIGN_INS.hits} in a minute |",
        f"{challenges.COST:,} iterations a key",
        f"| {rules.FREE_ATTEMPTS} in {minutes['ATTEMPT_MEMORY']} minutes | each further one waits: "
        f"{rules.FIRST_DELAY.seconds} s, doubling to {minutes['MAX_DELAY']} minutes",
        f"| {FAILED_SIGN_INS.hits} in 10 minutes | 428",
        f"the same for an unknown e-mail | {PER_NETWORK.free_attempts} in "
        f"{PER_NETWORK.memory.total_seconds() / 60:.0f} minutes | 429 `sign_in_delayed`",
        f"from all other networks together | {MAX_UNKNOWN_ATTEMPTS - 1} in an hour |",
        f"| pending sign-ups for one e-mail | {rules.ATTEMPTS_PER_ADDRESS} |",
        f"| {RESETS_WAITING}, of them {RESETS_WAITING_OF_ONE} of one site | 503 |",
        f"celebrations, the tour | {MEMBER_WRITES.hits} a minute, all together | 429 |",
        f"{client_errors.REPORTS.hits} a minute of one network; {client_errors.MAX_COUNTED} a "
        f"minute of all are counted and {client_errors.MAX_LOGGED_REPORTS} logged by a worker",
        f"a verify answers `pending` after {TIMEOUT_SECONDS:.0f} s",
        f"| {WHOLE_CALL_SECONDS} s, {MAX_RESPONSE_BYTES // 2**20} MiB; never inside",
        f"{uploads.UPLOADS_AT_ONCE} in all, {uploads.TURN_SECONDS:.0f} s for a turn, dropped under "
        f"{SLOWEST_BODY_BYTES_PER_SECOND // 1000} kB/s after {BODY_GRACE_SECONDS:.0f} s",
        f"(no redirects, {push_services.WHOLE_CALL_SECONDS} s) | pushes |",
        f"| {MAX_LISTED_USERS} names, at most every {LIST_SECONDS:.0f} s, slower in a crowd |",
        f"Every statement ends after {SESSION_SETTINGS['statement_timeout'][:-1]} s, waiting for a "
        f"place in front of the database after {MAX_WAIT_SECONDS} s, a transaction left open "
        f"after {SESSION_SETTINGS['idle_in_transaction_session_timeout'][:-1]} s.",
        f"a lock not granted within {SESSION_SETTINGS['lock_timeout'][:-1]} s is a 503",
        f"a socket's packet {BUFFER_BYTES_LIMIT // 1024} KiB of text",
        f"{SOCKETS_PER_MEMBER} sockets in a namespace",
        f"{QUEUED_PACKETS_LIMIT} packets waiting for one socket",
        f"credits of {format_naira(ADJUSTMENT_LIMIT)} each and "
        f"{format_naira(ADJUSTMENT_DAY_LIMIT)} a Lagos day, all kinds added up; refunds and "
        f"cancelled orders of {format_naira(REFUND_LIMIT)} each and "
        f"{format_naira(REFUND_DAY_LIMIT)} a day; bank transfers confirmed for "
        f"{format_naira(CONFIRM_DAY_LIMIT)} a day (settings)",
        f"funding {format_naira(Kobo(funding['min'] * 100))} to "
        f"{format_naira(Kobo(funding['max'] * 100))} at once and "
        f"{format_naira(Kobo(funding['daily_max'] * 100))} a day",
        f"| sign-ups of one network | {SIGN_UPS.hits} in an hour |",
        f"of one network that find nothing | {REFUSED_CALLS.hits} in a minute |",
        f"- {rules.SHORTEST_PASSWORD} to {rules.MAX_PASSWORD_LENGTH} characters",
        f"the {len(common_passwords()):,} most used passwords",
        f"signing in where a member came from before ({returning.threads} at once, "
        f"{returning.queue} waiting), for signing in elsewhere ({sign_in.threads} and "
        f"{sign_in.queue}), for members who enter theirs again ({confirm.threads} and "
        f"{confirm.queue}), for resets "
        f"({recovery.threads} and {recovery.queue}) and for signing up "
        f"({sign_up.threads} and {sign_up.queue})",
        f"{sum(lane.threads for lane in LANES.values())} hashes",
        f"{algorithm.replace('argon2id', 'Argon2id')}, {memory_kib // 1024} MiB, {passes} passes, "
        f"{lanes} lane",
        f"**End at the latest:** {TOKEN_LIFE.days} days",
        f"**End without use:** {idle_hours} hours (`SESSION_IDLE_HOURS`)",
        f"**At once:** {rules.SESSIONS_PER_MEMBER} sessions a member",
        f"remembered for {REMEMBER_SECONDS:.0f} s per process",
        f"| headers | {HEAD_BYTES // 1024} KiB in all, {HEADER_SECONDS:.0f} s to send them |",
        f"| body | {body_limits.BODY_LIMIT_BYTES // 1024} KiB",
        f"| largest file | {LARGEST_AVATAR_BYTES // 2**20} MiB | "
        f"{moments_posting.MAX_THUMBNAIL_BYTES // 2**20} MiB | "
        f"{moments_posting.MAX_VIDEO_BYTES:,} bytes |",
        f"{pictures.MAX_PIXELS // 10**6} megapixels, {pictures.MAX_SIDE_PIXELS:,} pixels a side, "
        f"one frame, {pictures.MAX_SCANS} JPEG scans",
        f"{uploads.UPLOADS_PER_MEMBER} a member, {limits['uploads']} a network, "
        f"{uploads.UPLOADS_AT_ONCE} in all, "
        f"{uploads.TURN_SECONDS:.0f} s for a turn",
        f"{pictures.DECODED_KILOPIXELS.hits // 1000} megapixels a member and minute",
        f"{moments_posting.MAX_MOMENTS} moments",
        f"{MAX_OPEN_ORDERS} unpaid bank-transfer orders, which expire after "
        f"{TRANSFER_WINDOW.total_seconds() / 3600:.0f} h, "
        f"with a proof under review {PROOF_REVIEW_PERIOD.days} days after its upload, "
        f"and hold at most {TRANSFER_UNITS_LIMIT} units and {format_naira(TRANSFER_VALUE_LIMIT)} "
        f"(settings), those of an account younger than "
        f"{NEW_ACCOUNT_AGE.total_seconds() / 3600:.0f} h without a paid order "
        f"{NEW_ACCOUNT_UNITS} units",
        f"{limits['sockets']} of one network, one more ends the oldest",
        f"{connections.PACKETS_PER_SECOND:.0f} a second after a burst of {connections.BURST:.0f}; "
        f"{connections.DROPS_BEFORE_CUT} refused ones",
    ):
        assert statement in page, statement


@pytest.mark.parametrize("page", ["security.md", "operations.md"])
def test_the_pages_name_every_security_event_and_no_other(page: str) -> None:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    if page == "security.md":
        (named,) = re.findall(
            r"^\*\*Security events\*\*[^\n]*?: (`signed_up`.*?)\. Each", text, re.M
        )
    else:
        section = text.partition("## Security events")[2].partition("\n## ")[0]
        named = " ".join(re.findall(r"^\| (`[a-z_`, ]+) \|", section, re.MULTILINE))

    found = set(re.findall(r"`([a-z_]+)`", named)) - {"event_type"}
    assert found == {event.value for event in SecurityEvent}
