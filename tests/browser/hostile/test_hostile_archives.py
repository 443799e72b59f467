"""Hostile archives, case by case: a whole report and whole answers, or a refusal and nothing."""

from collections.abc import Callable, Iterator

import pytest

from tests.browser.hostile.bombs import multiplying_bombs
from tests.browser.hostile.case import HostileCase
from tests.browser.hostile.links import link_cases
from tests.browser.hostile.names import name_cases
from tests.browser.hostile.tars import tar_cases
from tests.browser.hostile.trying_archives import differences, expected_of, told_of
from tests.browser.hostile.zips import zip_cases
from tests.browser.package_page import PackagePage


@pytest.mark.parametrize(
    "cases",
    [
        pytest.param(name_cases, id="paths and names"),
        pytest.param(link_cases, id="links and devices"),
        pytest.param(zip_cases, id="lies and breaks of a zip"),
        pytest.param(tar_cases, id="lies and breaks of a tar"),
        pytest.param(multiplying_bombs, id="much of little"),
    ],
)
def test_each_case_ends_as_written_and_the_client_works_on(
    package_page: PackagePage, cases: Callable[[], Iterator[HostileCase]]
) -> None:
    written = list(cases())
    told, expected = told_of(package_page, written), expected_of(written)

    assert len(expected) == len(written)
    assert differences(told, expected) == {}
