from api.foundation.core.errors import DomainError


class TooEarlyError(DomainError):
    status = 409
    code = "too_early"
    message = "The match has not kicked off yet."


class FixtureStateError(DomainError):
    """The change does not follow from the match's state, which is in ``data.status``."""

    status = 409
    code = "state_conflict"
    message = "This is not possible in the match's current state."


class SameFixtureError(DomainError):
    status = 409
    code = "fixture_exists"
    message = "These teams already have a match at this time."


class SameCompetitionError(DomainError):
    """Another competition has the name and season, ignoring case."""

    status = 409
    code = "competition_exists"
    message = "A competition with this name and season already exists."


class FeedSignatureError(DomainError):
    """A push is not signed with the feed's key, or its time is too far from now."""

    status = 400
    code = "invalid_signature"
    message = "The signature does not match."


class StaleFeedError(DomainError):
    """A push with this sequence, or a later one, has been applied."""

    status = 409
    code = "stale_feed"
    message = "This push, or a later one, has already been received."


class FixtureImportError(DomainError):
    """A row of the file is refused, so nothing is imported; ``data`` is the review."""

    status = 409
    code = "import_has_problems"
    message = "Some rows are not valid. Please correct the file and upload it again."


class FixtureFileChangedError(DomainError):
    """The digest is not the file's: a different file was checked."""

    status = 409
    code = "stale"
    message = "This is not the file that was checked. Please upload it again."


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
    message = "It is too late for a reminder of this match."
