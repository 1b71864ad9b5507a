"""How a process reads its settings: once, and in sentences when they do not fit."""

import sys
from typing import TypeVar

from pydantic import ValidationError

from api.core.config import Settings
from api.core.config_errors import describe_refusal

WRONG_SETTINGS = 2  # exit code of a process whose settings do not fit
SettingsT = TypeVar("SettingsT", bound=Settings)


class SettingsError(Exception):
    """The settings do not fit, or cannot be read; ``sentences`` say why, without any value."""

    def __init__(self, sentences: list[str]) -> None:
        super().__init__(*sentences)
        self.sentences = sentences


def load_settings(kind: type[SettingsT]) -> SettingsT:
    """Return the settings of the environment and of ``.env``.

    Raises:
        SettingsError: one does not fit, or the file cannot be read.
    """
    try:
        return kind()
    except ValidationError as error:
        raise SettingsError(describe_refusal(error)) from None
    except (ValueError, OSError) as error:  # a file that is no text, or not ours to read
        raise SettingsError([f".env cannot be read: {type(error).__name__}."]) from None


def read_settings() -> Settings | None:
    """Return the settings; None after the sentences that say what does not fit.

    They go to standard error: a process without settings has no log yet.
    """
    try:
        return load_settings(Settings)
    except SettingsError as refusal:
        complain(refusal.sentences)
        return None


def complain(sentences: list[str]) -> None:
    """Write on standard error why a process does not start."""
    for sentence in sentences:
        sys.stderr.write(f"king-of-fans: {sentence}\n")
