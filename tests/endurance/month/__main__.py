"""The command line; see the package."""

import sys

from api.foundation.core.processes import exit_on_sigterm

from tests.endurance.month.living import run


def main() -> int:
    """Run the month from the command line; return the exit code."""
    exit_on_sigterm()
    print(run(sys.argv[1:]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
