"""Turns hosts into pytest's parameters."""

import pytest
from _pytest.mark import ParameterSet

from tests.conformance.recorded import BROWSER_HOSTS, HOSTS


def each_host() -> list[ParameterSet]:
    """Return a parameter for every host."""
    return [pytest.param(host, id=host, marks=_host_marks(host)) for host in HOSTS]


def each_other_host() -> list[ParameterSet]:
    """Return a parameter for every host but the first, which the others are compared with."""
    return each_host()[1:]


def _host_marks(host: str) -> list[pytest.MarkDecorator]:
    # One process for all cases of a host, which takes seconds to start.
    group = pytest.mark.xdist_group(f"conformance of {host}")
    return [group, pytest.mark.browser] if host in BROWSER_HOSTS else [group]
