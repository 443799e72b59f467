"""A missing host skips its tests, or fails them if the run requires it."""

import pytest

from tests.support.hosts.missing_hosts import VARIABLE, skip_or_fail


@pytest.mark.parametrize("wanted", ["", "deno", "node,deno"])
def test_a_host_that_nobody_wants_here_skips(wanted: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, wanted)

    with pytest.raises(pytest.skip.Exception) as skipped:
        skip_or_fail("webkit", "install WebKit")

    assert str(skipped.value) == "install WebKit"


@pytest.mark.parametrize("wanted", ["all", "deno,webkit"])
def test_a_host_that_is_wanted_here_fails(wanted: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, wanted)

    with pytest.raises(pytest.fail.Exception) as failed:
        skip_or_fail("webkit", "install WebKit")

    assert str(failed.value) == f"install WebKit ({VARIABLE}={wanted} wants webkit here)"
