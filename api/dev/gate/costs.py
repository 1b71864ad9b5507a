"""Reports the CPU time of a run."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from api.dev.gate.steps import StepOutcome

CASE_BUDGET_SECONDS = 5.0  # see CONTRIBUTING.md for cases above it
SHOWN = 40


def print_costs(outcomes: Sequence[StepOutcome], *, whole: bool) -> None:
    """Print the cases above the budget; with ``whole`` also the costs of steps, files and cases."""
    measured = [outcome.results for outcome in outcomes if outcome.results is not None]
    cases = _merged(one.cpu_seconds for one in measured)
    over = {name: cost for name, cost in cases.items() if cost > CASE_BUDGET_SECONDS}
    if over:
        _print_table(f"cases above {CASE_BUDGET_SECONDS:.0f} CPU seconds", over)
    if whole:
        _print_table("CPU seconds by step, child processes included", _step_costs(outcomes))
        shared = _merged(one.shared_cpu_seconds for one in measured)
        _print_table("CPU seconds of fixtures that cases share", shared)
        _print_table("CPU seconds by file", _file_costs(cases))
        _print_table("CPU seconds by case", cases)


def _step_costs(outcomes: Sequence[StepOutcome]) -> dict[str, float]:
    return {
        f"{outcome.step.name} ({outcome.seconds:.0f} s, "
        f"{outcome.results.count if outcome.results else 0} cases)": outcome.cpu_seconds
        for outcome in outcomes
    }


def _merged(costs: Iterable[Mapping[str, float]]) -> dict[str, float]:
    return {name: cost for one in costs for name, cost in one.items()}


def _file_costs(cases: Mapping[str, float]) -> dict[str, float]:
    files: defaultdict[str, float] = defaultdict(float)
    for name, cost in cases.items():
        files[name.partition("::")[0].partition(" > ")[0]] += cost
    return files


def _print_table(title: str, costs: Mapping[str, float]) -> None:
    print(f"\n--- {title}")
    for name, cost in sorted(costs.items(), key=lambda one: -one[1])[:SHOWN]:
        print(f"{cost:8.2f} {name}")
    if len(costs) > SHOWN:
        print(f"{'':8} and {len(costs) - SHOWN} others")
