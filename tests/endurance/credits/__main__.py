"""The command line; see the package."""

import argparse
import asyncio
import sys
import time

import structlog

from tests.endurance.accounts import drop
from tests.endurance.credits.matrix import cells
from tests.endurance.credits.proving import make_app, prove, quick_postgres


def main() -> int:
    """Run the test from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sequences", type=int, default=5_000)
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--first", type=int, default=0, help="number of the first sequence")
    parser.add_argument("--no-matrix", action="store_true", help="only play sequences")
    chosen = parser.parse_args()
    matrix = [] if chosen.no_matrix else list(cells())
    began = time.monotonic()
    with quick_postgres() as (server, folder):
        app = make_app(server.url(), folder)
        structlog.configure(processors=[drop])
        place = asyncio.run(
            prove(app, server.url(), matrix, chosen.sequences, chosen.seed, chosen.first)
        )
    seconds = time.monotonic() - began
    for what, count in sorted(place.seen.items()):
        print(f"{count:8} {what}")
    print(
        f"{place.sequences} sequences, {place.acts} acts, seed {chosen.seed}, {seconds:.0f} s: "
        "every one equals the model"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
