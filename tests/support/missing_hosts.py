"""What a test does whose host is not on this machine: it is skipped, or it fails."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest

VARIABLE = "TREEGLASS_HOSTS"
"""`all`, or names with commas between: the hosts that have to be on this machine."""


def skip_or_fail(host: str, missing: object) -> NoReturn:
    """Skip the test of a host that is missing; fail it where the host has to be here.

    Args:
        host: `chromium`, `firefox`, `webkit`, `node`, `deno`, `bun` or `workerd`.
        missing: Says what to install.
    """
    wanted = os.environ.get(VARIABLE, "")
    if wanted == "all" or host in wanted.split(","):
        pytest.fail(f"{missing} ({VARIABLE}={wanted} wants {host} here)", pytrace=False)
    pytest.skip(str(missing))
