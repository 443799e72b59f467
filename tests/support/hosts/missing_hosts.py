"""A test whose host is not on this machine is skipped, or fails."""

import os
from typing import NoReturn

import pytest

VARIABLE = "TREEGLASS_HOSTS"
"""`all`, or names with commas between: the hosts that are required on this machine."""


def skip_or_fail(host: str, missing: object) -> NoReturn:
    """Skip the test of a missing host, or fail it if the host is required.

    Args:
        host: `chromium`, `firefox`, `webkit`, `node`, `deno`, `bun` or `workerd`.
        missing: Says what to install.
    """
    wanted = os.environ.get(VARIABLE, "")
    if wanted == "all" or host in wanted.split(","):
        pytest.fail(f"{missing} ({VARIABLE}={wanted} wants {host} here)", pytrace=False)
    pytest.skip(str(missing))
