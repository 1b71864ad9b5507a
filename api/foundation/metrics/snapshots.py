"""Snapshots of several processes' metrics, aggregated by the one that is scraped.

Counters and histograms are summed; gauges get a label with their process id.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector
from typing_extensions import override

from api.foundation.core.metrics import Metrics

PROCESS = "process"  # the label of gauges with their process id
PROCESSES = "server_processes"
PROCESSES_WANTED = "server_processes_wanted"
SILENT = "server_process_silent_seconds"
ADDED = frozenset({"counter", "histogram"})
CREATED = "_created"  # creation times are unused and cannot be summed


class Family(NamedTuple):
    """A metric; its samples are name, labels and value."""

    name: str
    documentation: str
    type: str
    samples: list[tuple[str, dict[str, str], float]]


class Snapshot(NamedTuple):
    """The metrics of one process; of an ended one only the counters are used.

    ``age_seconds`` is the time since it was taken.
    """

    process: str
    families: list[Family]
    has_ended: bool = False
    age_seconds: float = 0.0


def take_snapshot(registry: CollectorRegistry) -> Snapshot:
    """Return this process's metrics."""
    families = [
        Family(
            metric.name,
            metric.documentation,
            metric.type,
            [
                (sample.name, sample.labels, sample.value)
                for sample in metric.samples
                if not sample.name.endswith(CREATED)
            ],
        )
        for metric in registry.collect()
    ]
    return Snapshot(str(os.getpid()), families)


def add_up(snapshots: Iterable[Snapshot]) -> list[Family]:
    """Aggregate snapshots; omits gauges of ended processes."""
    found: dict[str, tuple[Family, dict[tuple[str, str], Any]]] = {}
    for snapshot in snapshots:
        for family in snapshot.families:
            is_added = family.type in ADDED
            if snapshot.has_ended and not is_added:
                continue
            _, samples = found.setdefault(family.name, (family, {}))
            for name, labels, value in family.samples:
                whose = labels if is_added else {**labels, PROCESS: snapshot.process}
                key = (name, "\0".join(f"{label}={said}" for label, said in whose.items()))
                before = samples[key][2] if key in samples else 0.0
                samples[key] = (name, whose, before + value)
    return [family._replace(samples=list(samples.values())) for family, samples in found.values()]


def render(metrics: Metrics, others: Sequence[Snapshot] = (), *, wanted: int = 1) -> bytes:
    """Render the metrics of all processes in the Prometheus text format.

    ``wanted`` is the configured number of processes.
    """
    snapshots = [take_snapshot(metrics.registry), *others]
    alive = [snapshot for snapshot in snapshots if not snapshot.has_ended]
    ages = [(SILENT, {PROCESS: snapshot.process}, snapshot.age_seconds) for snapshot in alive]
    count = Family(PROCESSES, "Server processes that live", "gauge", [(PROCESSES, {}, len(alive))])
    should = Family(
        PROCESSES_WANTED,
        "Server processes there should be",
        "gauge",
        [(PROCESSES_WANTED, {}, wanted)],
    )
    silent = Family(SILENT, "Time since a process last wrote its figures down", "gauge", ages)
    processes = _Families([*add_up(snapshots), count, should, silent])
    return generate_latest(processes) + generate_latest(metrics.everybodys)


class _Families(Collector):
    """Passes finished families to the library's renderer."""

    def __init__(self, families: Sequence[Family]) -> None:
        self._families = families

    @override
    def collect(self) -> Iterator[Metric]:
        for family in self._families:
            metric = Metric(family.name, family.documentation, family.type)
            for name, labels, value in family.samples:
                metric.add_sample(name, labels, value)
            yield metric
