"""Loads a process's settings once, and reports invalid ones in sentences."""

import sys
from typing import TypeVar

from pydantic import ValidationError

from api.foundation.core.config import Settings
from api.foundation.core.config_errors import describe_refusal

WRONG_SETTINGS = 2  # exit code for invalid settings
SettingsT = TypeVar("SettingsT", bound=Settings)


class SettingsError(Exception):
    """The settings are invalid or unreadable; ``sentences`` say why, without any value."""

    def __init__(self, sentences: list[str]) -> None:
        super().__init__(*sentences)
        self.sentences = sentences


def load_settings(kind: type[SettingsT]) -> SettingsT:
    """Return the settings of the environment and of ``.env``.

    Raises:
        SettingsError: one is invalid, or the file is unreadable.
    """
    try:
        return kind()
    except ValidationError as error:
        raise SettingsError(describe_refusal(error)) from None
    except (ValueError, OSError) as error:  # a binary or unreadable file
        raise SettingsError([f".env cannot be read: {type(error).__name__}."]) from None


def read_settings() -> Settings | None:
    """Return the settings; print the errors and return None if they are invalid.

    They go to standard error, because logging is not set up yet.
    """
    try:
        return load_settings(Settings)
    except SettingsError as refusal:
        complain(refusal.sentences)
        return None


def complain(sentences: list[str]) -> None:
    """Print on standard error why a process does not start."""
    for sentence in sentences:
        sys.stderr.write(f"king-of-fans: {sentence}\n")
