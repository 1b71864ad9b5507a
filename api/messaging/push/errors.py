from api.foundation.core.errors import InvalidFieldError


class UnsupportedPushServiceError(InvalidFieldError):
    """The endpoint is not at a browser's push service, or push is disabled here."""

    sentence_shown = "This push service is not supported"

    def __init__(self) -> None:
        super().__init__(self.sentence_shown, fields={"endpoint": self.sentence_shown})


class NoBrowserKeysError(InvalidFieldError):
    sentence_shown = "These are no keys of a browser"

    def __init__(self) -> None:
        super().__init__(self.sentence_shown, fields={"keys": self.sentence_shown})
