"""Parses the rules of docs/alerts.yml for tests."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml  # type: ignore[import-untyped] # its stubs are not worth a dependency

DOCS = Path(__file__).resolve().parents[2] / "docs"
SELECTOR = re.compile(r"\b([a-z_]+)(?:\{([^}]*)\})?")
LABEL = re.compile(r"(\w+)(=~|=)\"([^\"]*)\"")
WORDS = frozenset(
    {
        "absent",
        "abs",
        "sum",
        "max",
        "min",
        "rate",
        "increase",
        "histogram_quantile",
        "time",
        "or",
        "le",
    }
)


@dataclass(frozen=True)
class Alert:
    """One rule."""

    name: str
    expression: str
    severity: str
    summary: str
    runbook: str

    def threshold(self) -> float:
        """Return the threshold of the expression."""
        found = re.findall(r"[<>] (\d+(?:\.\d+)?)$", self.expression)
        assert len(found) == 1, self.expression
        return float(found[0])

    def selectors(self) -> set[tuple[str, tuple[tuple[str, str, str], ...]]]:
        """Return the metrics in the expression, with their label selectors."""
        without_groups = re.sub(r"by \([^)]*\)|\[\w+\]", "", self.expression)
        return {
            (name, tuple(LABEL.findall(labels)))
            for name, labels in SELECTOR.findall(without_groups)
            if name not in WORDS
        }

    def grouped_by(self) -> set[str]:
        """Return the labels that the expression keeps."""
        kept = re.findall(r"by \(([^)]*)\)", self.expression)
        return {label.strip() for group in kept for label in group.split(",")}


@cache
def alerts() -> dict[str, Alert]:
    """Return all alerts by name."""
    loaded: dict[str, Any] = yaml.safe_load((DOCS / "alerts.yml").read_text(encoding="utf-8"))
    rules = [rule for group in loaded["groups"] for rule in group["rules"]]
    found = {
        rule["alert"]: Alert(
            rule["alert"],
            rule["expr"],
            rule["labels"]["severity"],
            rule["annotations"]["summary"],
            rule["annotations"]["runbook"],
        )
        for rule in rules
    }
    assert len(found) == len(rules)
    return found


Figures = list[tuple[str, dict[str, str], float]]


def parse(shown: str) -> Figures:
    """Return name, labels and value of every metric."""
    figures: Figures = []
    for line in shown.splitlines():
        if line and not line.startswith("#"):
            series, value = line.rsplit(" ", 1)
            name, _, labels = series.partition("{")
            pairs = re.findall(r"(\w+)=\"((?:[^\"\\]|\\.)*)\"", labels)
            figures.append((name, dict(pairs), float(value)))
    return figures
