"""Pages for visitors: templates filled in and put into the built page."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from api.foundation.core.money import format_naira
from api.foundation.http.pages import BUILT_PAGE
from api.foundation.http.spa import HEAD, HEAD_END, fill_head, visitor_policy
from api.home.public import wording
from api.home.public.cards import colours
from api.home.public.heads import Head

TEMPLATES = Path(__file__).with_name("templates")
CONTENT = "<!--content-->"
WITHOUT_BUILD = f"<!doctype html><html lang=en-NG>{HEAD}{HEAD_END}<body>{CONTENT}</body></html>"


def environment() -> Environment:
    """Return the templates' environment: values are escaped, unknown names are errors."""
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        "day": wording.day,
        "fans_of": wording.fans_of,
        "has_crowd": wording.has_crowd,
        "is_running": lambda match: match.state in wording.RUNNING,
        "iso": lambda moment: moment.astimezone(UTC).isoformat().replace("+00:00", "Z"),
        "long_day": wording.long_day,
        "merged": lambda first, second: {**first, **second},
        "naira": format_naira,
        "outcome_for": wording.outcome_for,
        "readable_on": colours.readable_on,
        "score_of": wording.score_of,
        "stand_of": lambda pair: colours.stand_of(tuple(pair)),
        "state_of": wording.state_of,
        "until": lambda moment, now: _until(moment - now),
    }
    return made


class PageWriter:
    """Writes pages and heads; ``public_url`` is the app's address without a trailing slash."""

    def __init__(self, folder: Path, public_url: str) -> None:
        built = folder / BUILT_PAGE
        self.public_url = public_url
        self.built = built.read_text(encoding="utf-8") if built.is_file() else WITHOUT_BUILD
        self.policy = visitor_policy(self.built.encode())
        self._templates = environment()

    def head(self, head: Head) -> str:
        """Return a head as HTML."""
        return self._templates.get_template("head.html").render(head=head, origin=self.public_url)

    def page(self, template: str, head: Head, now: datetime, values: Mapping[str, object]) -> str:
        """Return a whole page."""
        content = self._templates.get_template(template).render(
            head=head, now=now, **values, options=_options(values)
        )
        return fill_head(self.built, self.head(head)).replace(CONTENT, content, 1)


def _options(values: Mapping[str, object]) -> dict[str, str]:
    question = getattr(values.get("home"), "question", None)
    options: dict[str, str] = {} if question is None else json.loads(question.options)
    return options


def _until(left: timedelta) -> str:
    days, rest = left.days, left.seconds
    hours, minutes = rest // 3600, rest % 3600 // 60
    if days > 0:
        return f"in {days} {'day' if days == 1 else 'days'} {hours} h"
    return f"in {hours} h {minutes} min" if hours else f"in {minutes} min"
