#!/usr/bin/env python3
"""The commands of the project: each does all the set-up a fresh machine needs, then its work.

This file is readable by any Python, so that it can say which one is needed.
"""

import os
import platform
import sys


def main():  # noqa: ANN201 - Python 2 cannot read annotations
    """Run one command and return its exit code."""
    if os.name == "nt":
        sys.exit("run.py: Windows is not supported directly: run this inside WSL.")
    if sys.version_info < (3, 11):  # noqa: UP036 - started by whatever python3 is there
        sys.exit(
            "run.py: Python 3.11 or newer is needed; "
            + sys.executable
            + " is "
            + platform.python_version()
            + ". Start run.py with a newer one, for example python3.12 run.py."
        )
    from api.dev import bootstrap  # noqa: PLC0415 - older Pythons cannot read it

    return bootstrap.main(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
