from api.foundation.core.errors import DomainError


class TooEarlyError(DomainError):
    status = 409
    code = "too_early"
    message = "The match has not kicked off yet."


class FixtureStateError(DomainError):
    """The change does not follow from the match's state, which is in ``data.status``."""

    status = 409
    code = "state_conflict"
    message = "This does not follow from where the match stands."


class SameFixtureError(DomainError):
    status = 409
    code = "fixture_exists"
    message = "These teams have a match at this time already."


class SameCompetitionError(DomainError):
    """Another competition has the name and season, ignoring case."""

    status = 409
    code = "competition_exists"
    message = "There is a competition of this name and season already."


class FeedSignatureError(DomainError):
    """A push is not signed with the feed's key, or its time is too far from now."""

    status = 400
    code = "invalid_signature"
    message = "The signature does not fit."


class StaleFeedError(DomainError):
    """A push with this sequence, or a later one, has been applied."""

    status = 409
    code = "stale_feed"
    message = "This or a later push has been taken already."


class FixtureImportError(DomainError):
    """A row of the file is refused, so nothing is imported; ``data`` is the review."""

    status = 409
    code = "import_has_problems"
    message = "Some rows do not fit. Please mend the file and upload it again."


class FixtureFileChangedError(DomainError):
    """The digest is not the file's: a different file was checked."""

    status = 409
    code = "stale"
    message = "This is not the file that was looked at. Please upload it again."


class TeamUnknownError(DomainError):
    status = 409
    code = "unknown_team"
    message = "There is no such team."


class FixtureLockedError(DomainError):
    """An operator has written the match, so feeds cannot change it."""

    status = 409
    code = "locked"
    message = "This match was changed by hand."


class ReminderTooLateError(DomainError):
    """The match is not scheduled, kicks off within the hour, or its reminders have been sent."""

    status = 409
    code = "too_late"
    message = "It is too late to be reminded of this match."
