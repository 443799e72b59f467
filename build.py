"""Starts the build: `python build.py COMMAND`, with any Python from 3.11 on.

It imports nothing that Python does not bring. `build_steps/commands.py` has the commands.
"""

from __future__ import annotations

import sys


def main(argv: list[str]) -> int:
    """Run a command in the environment of the build; make the environment first if necessary."""
    if sys.version_info < (3, 11):  # noqa: UP036  # an older Python gets this far
        print("The build needs Python 3.11 or newer: run build.py by one.", file=sys.stderr)
        return 1
    # Not at the top: an older Python cannot read these modules.
    from build_steps import start  # noqa: PLC0415

    if not start.is_in_environment():
        return start.run_again(argv)
    from build_steps import commands  # noqa: PLC0415  # needs what the environment has

    return commands.main(argv)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
