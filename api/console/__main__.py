"""``python -m api.console COMMAND``: exit code 0 for success, 1 for failure, 2 for wrong usage."""

import asyncio
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace, _SubParsersAction
from pathlib import Path

import asyncpg
from sqlalchemy import exc

from api.app.backup.errors import describe
from api.console.backups import restore, show_backups, take_backup, why_not_plain
from api.console.check import Finding, State, check, print_finding
from api.console.jobs import retry_job, show_jobs
from api.console.opened import NotStartedError
from api.console.opening import add_club, apply
from api.console.operators import make_operator
from api.console.profiles import make_push_key, reseal_profiles
from api.console.proving import prove
from api.console.questions import import_questions
from api.console.seasons import set_season
from api.foundation.core.config import Settings
from api.foundation.core.errors import DatabaseUnavailableError, DomainError
from api.foundation.core.logs import set_up_logs
from api.foundation.security.rights import Role
from api.foundation.server.process_settings import SettingsError, load_settings
from api.foundation.wire.emails import canonical_email

DONE, NOT_DONE, WRONGLY_ASKED = 0, 1, 2
FAILURES = (OSError, NotStartedError, DomainError, exc.SQLAlchemyError, asyncpg.PostgresError)
AWAY = "The database does not answer, or takes no writes."
# The state of each command's work if the database is lost halfway.
NOTHING = "Nothing was written."
ALL_OR_NOTHING = "All of it was written, or nothing: look before running it again."
SOME_PROFILES = "Some profiles may be sealed anew: run it again."
BACKUP_BY_NAME = "There is a backup if its folder is there."
HALF_RESTORED = "Begin again with an empty database."


def main(arguments: list[str]) -> int:
    """Run one command and return the exit code; invalid arguments raise SystemExit(2)."""
    options = make_parser().parse_args(arguments)
    set_up_logs("ERROR", sys.stderr)  # standard output is for the command's result
    try:
        settings = load_settings(Settings)
    except SettingsError as refusal:
        if options.run is check:
            for sentence in refusal.sentences:
                print_finding(Finding(State.FAIL, "settings", sentence))
            return NOT_DONE
        for sentence in refusal.sentences:
            _complain(sentence, WRONGLY_ASKED)
        return WRONGLY_ASKED
    if options.run is take_backup and (reason := why_not_plain(settings, options)) is not None:
        return _complain(reason, WRONGLY_ASKED)
    try:
        return asyncio.run(_run(settings, options))
    except FAILURES as error:
        code = WRONGLY_ASKED if isinstance(error, OSError) else NOT_DONE
        return _complain(_describe_failure(error, options.when_lost), code)


def _describe_failure(error: Exception, when_lost: str) -> str:
    """Return the error message of a command, and the state of its work."""
    match error:
        case OSError():
            return describe(error)
        case NotStartedError():
            return f"{AWAY} {NOTHING}"
        case DatabaseUnavailableError():
            return f"{AWAY} {when_lost}"
        case DomainError():
            return f"{describe(error)} {when_lost}"
    reason = str(getattr(error, "orig", error)).splitlines()[0]
    # A transaction that the database rejects is rolled back completely.
    after = NOTHING if when_lost == ALL_OR_NOTHING else when_lost
    return f"The database refuses: {reason}. {after}"


def make_parser() -> ArgumentParser:
    """Return the parser of the command line."""
    parser = ArgumentParser(prog="python -m api.console", description="King of Fans for operators.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    questions = commands.add_parser(
        "import-questions",
        help="bring the question bank to what CSV files say",
        description="Bring the question bank to what CSV files say: all of it, or nothing when "
        "one row is refused. Running it again changes nothing.",
    )
    questions.add_argument(
        "paths",
        nargs="*",
        type=Path,
        metavar="PATH",
        help="a CSV file, or a folder of them; without any, the bank shipped with the product",
    )
    questions.add_argument("--dry-run", action="store_true", help="say what would be done")
    questions.add_argument(
        "--retire-missing",
        action="store_true",
        help="also retire the questions of the files' topics that the files no longer have",
    )
    questions.add_argument(
        "--skip-unknown-clubs",
        action="store_true",
        help="leave out the questions of clubs that are not in the database",
    )
    questions.set_defaults(run=import_questions, when_lost=ALL_OR_NOTHING)
    club = commands.add_parser(
        "add-club",
        help="add a club that members can choose at sign-up",
        description="Add a club that members can choose at sign-up.",
    )
    club.add_argument("name", metavar="NAME", help="as members see it")
    club.add_argument("--competition", help="what it is listed under at sign-up")
    club.add_argument(
        "--colours", nargs=2, metavar="#RRGGBB", help="its two colours, which draw its crest"
    )
    club.set_defaults(run=add_club, when_lost=ALL_OR_NOTHING)
    _add_operators(commands)
    opening = commands.add_parser(
        "apply",
        help="add the clubs, season, plans and products of a TOML file",
        description="Add the clubs, season, plans and products of a TOML file that are not there "
        "yet: all of them or nothing. What stands is not changed: running it again adds nothing.",
    )
    opening.add_argument("path", type=Path, metavar="FILE", help="a TOML file")
    opening.add_argument("--dry-run", action="store_true", help="say what would be done")
    opening.set_defaults(run=apply, when_lost=ALL_OR_NOTHING)
    checking = commands.add_parser(
        "check",
        help="say what keeps this deployment from serving well",
        description="Look at settings, database, migrations, role, functions and grants, ledger, "
        "media, mail and payment provider. A line each: ok, todo or FAIL; exit 1 when one fails.",
    )
    checking.set_defaults(run=check, when_lost=NOTHING)
    _add_backups(commands)
    season = commands.add_parser(
        "set-season",
        help="write a season and its ranks from a TOML file",
        description="Write a season of the Battle Zone and its ranks, or change the one of that "
        "name. Running it again changes nothing.",
    )
    season.add_argument("path", type=Path, metavar="FILE", help="a TOML file")
    season.set_defaults(run=set_season, when_lost=ALL_OR_NOTHING)
    profiles = commands.add_parser(
        "reseal-profiles",
        help="seal bank accounts and next of kin again after a change of PROFILE_KEY",
        description="Seal bank accounts and next of kin again under PROFILE_KEY, opening them with "
        "PROFILE_KEY_BEFORE. Running it again changes nothing.",
    )
    profiles.set_defaults(run=reseal_profiles, when_lost=SOME_PROFILES)
    push_key = commands.add_parser(
        "make-push-key",
        help="print a new VAPID_PRIVATE_KEY",
        description="Print a new key for VAPID_PRIVATE_KEY. Nothing is stored.",
    )
    push_key.set_defaults(run=make_push_key, when_lost=NOTHING)
    proving = commands.add_parser(
        "prove",
        help="look whether every kobo of the ledger is where it should be",
        description="Look at the whole ledger at one moment, keep what was found, and say it. Exit "
        "code 1 when it does not balance.",
    )
    proving.set_defaults(run=prove, when_lost=ALL_OR_NOTHING)
    jobs = commands.add_parser(
        "jobs",
        help="list the stored jobs, or try a failed one again",
        description="List the stored jobs that wait, run, or have failed for good, without what "
        "they are about.",
    )
    jobs.set_defaults(run=show_jobs, when_lost=NOTHING)
    retry = jobs.add_subparsers(metavar="retry ID").add_parser(
        "retry", help="try a failed job again, from its first try"
    )
    retry.add_argument("id", type=int, metavar="ID", help="the failed job's id")
    retry.set_defaults(run=retry_job, when_lost=ALL_OR_NOTHING)
    return parser


def _add_operators(commands: "_SubParsersAction[ArgumentParser]") -> None:
    making = commands.add_parser(
        "make-operator",
        help="let a member work at the back office",
        description="Make a member an operator, or give an operator further roles. Prints the "
        "otpauth:// address for the phone that shows the codes, once.",
    )
    making.add_argument(
        "email", type=_email, metavar="EMAIL", help="of a member whose account is active"
    )
    making.add_argument(
        *("--role", "-r"),
        dest="roles",
        action="append",
        choices=[role.value for role in Role],
        default=[],
        help="what the operator is there for; may be given several times",
    )
    making.add_argument(
        "--reset-totp", action="store_true", help="set up another phone; the old one is void"
    )
    making.set_defaults(run=make_operator, when_lost=ALL_OR_NOTHING)


def _email(written: str) -> str:
    try:
        return canonical_email(written)
    except ValueError as error:
        raise ArgumentTypeError(str(error)) from None


def _add_backups(commands: "_SubParsersAction[ArgumentParser]") -> None:
    backup = commands.add_parser(
        "backup",
        help="copy the database and the media into a new folder",
        description="Copy the database and the media into a new folder, with the digests of all "
        "of it; encrypted with BACKUP_KEY, which production wants. Needs pg_dump and "
        "BACKUP_DATABASE_URL.",
    )
    backup.add_argument(
        "--plain", action="store_true", help="in production, too, leave it readable for anybody"
    )
    backup.add_argument(
        "--to", type=Path, metavar="FOLDER", help="the new folder; else one in BACKUP_DIR"
    )
    backup.set_defaults(run=take_backup, when_lost=BACKUP_BY_NAME)
    restoring = commands.add_parser(
        "restore",
        help="put a backup into an empty database, and its media into the store",
        description="Look at every byte of a backup, put it into the empty database of "
        "BACKUP_DATABASE_URL, migrate, put back media, and check everything.",
    )
    restoring.add_argument("folder", type=Path, metavar="FOLDER", help="a backup's folder")
    restoring.set_defaults(run=restore, when_lost=HALF_RESTORED)
    shown = commands.add_parser(
        "backups",
        help="list how the last backups and their proofs ended",
        description="List how the last backups and their proofs ended, newest first.",
    )
    shown.set_defaults(run=show_backups, when_lost=NOTHING)


async def _run(settings: Settings, options: Namespace) -> int:
    is_done: bool = await options.run(settings, options)
    return DONE if is_done else NOT_DONE


def _complain(sentence: str, code: int) -> int:
    print(f"king-of-fans: {sentence}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
