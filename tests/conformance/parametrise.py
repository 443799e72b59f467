"""Turns hosts into pytest's parameters."""

import pytest
from _pytest.mark import ParameterSet

from tests.conformance.recorded import HOSTS


def each_host() -> list[ParameterSet]:
    """Return a parameter for every host."""
    # One process for all cases of a host, which takes seconds to start.
    return [
        pytest.param(host, id=host, marks=pytest.mark.xdist_group(f"conformance of {host}"))
        for host in HOSTS
    ]


def each_other_host() -> list[ParameterSet]:
    """Return a parameter for every host but the first, which the others are compared with."""
    return each_host()[1:]
