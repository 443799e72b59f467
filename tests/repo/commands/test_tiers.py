"""Every test has one tier: the README's command runs `fast`, and CI and the matrix run both."""

import os
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from build_steps.testing.matrix import CASES
from build_steps.testing.test import SIDE_BY_SIDE
from tests.conformance.recorded import HOSTS
from tests.support.programs import printed_by
from tests.support.tiers import FAST, FULL

_FOLDER = "tests/conformance"
"""One folder with tests of both tiers shows how all are chosen, in a tenth of the time."""

_GROUPS = """
import os
import pathlib
import pytest

@pytest.mark.parametrize("number", range(8))
@pytest.mark.parametrize("group", [pytest.param(g, marks=pytest.mark.xdist_group(g)) for g in "ab"])
def test_it(group, number):
    pathlib.Path(f"{group} {os.environ['PYTEST_XDIST_WORKER']}").touch()
"""


def test_each_collected_test_has_exactly_one_tier(request: pytest.FixtureRequest) -> None:
    tiers = {
        item.nodeid: [tier for tier in (FAST, FULL) if item.get_closest_marker(tier)]
        for item in request.session.items
    }

    assert [name for name, found in tiers.items() if len(found) != 1] == []


@pytest.mark.slow
def test_both_tiers_together_are_all_tests(root: Path) -> None:
    with ThreadPoolExecutor() as threads:
        fast_run, full_run = threads.map(
            partial(collected, root), [(_FOLDER,), ("--all", "-m", FULL, _FOLDER)], timeout=300
        )

    fast, full = names_in(fast_run), names_in(full_run)
    (count,) = re.findall(r"^\d+/(\d+) tests collected", full_run, re.MULTILINE)
    assert fast & full == set()
    assert len(fast | full) == int(count)
    assert hosts_in(fast) == {"cpython", "chromium"}
    assert [name for name in fast if re.search(r"\[.*firefox", name)] == []


@pytest.mark.slow
def test_each_module_without_a_mark_has_a_fast_test(root: Path) -> None:
    folders = ("tests/browser/playground", "tests/browser/element")
    modules = {
        path.relative_to(root).as_posix()
        for folder in folders
        for path in (root / folder).glob("test_*.py")
        if "\npytestmark = " not in path.read_text("utf-8")
    }

    fast = names_in(collected(root, folders))

    assert {name.partition("::")[0] for name in fast} == modules


@pytest.mark.slow
def test_the_matrix_asks_every_host(root: Path) -> None:
    assert hosts_in(names_in(collected(root, CASES))) == set(HOSTS)


def test_ci_runs_both_tiers(root: Path) -> None:
    lines = (root / ".ci" / "run").read_text("utf-8").splitlines()

    assert [line for line in lines if "build.py test" in line] == ['"$python" build.py test --all']


@pytest.mark.slow
def test_the_tests_of_a_group_run_in_one_process(tmp_path: Path) -> None:
    (tmp_path / "test_groups.py").write_text(_GROUPS, "utf-8")

    # The process that runs this test has such variables itself.
    env = {name: value for name, value in os.environ.items() if "PYTEST" not in name}
    pytest_here = (sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *SIDE_BY_SIDE)
    printed_by(*pytest_here, folder=tmp_path, env=env)

    ran = sorted(path.name.split()[0] for path in tmp_path.glob("[ab] *"))
    assert ran == ["a", "b"]


def collected(root: Path, arguments: tuple[str, ...]) -> str:
    collecting = ("-m", "pytest", "--collect-only", "-q")
    return printed_by(sys.executable, *collecting, *arguments, folder=root)


def names_in(listing: str) -> set[str]:
    return {line for line in listing.splitlines() if "::" in line}


def hosts_in(names: set[str]) -> set[str]:
    listed = r"tests/conformance/listing/test_list_dir\.py::.*\[(.*)\]$"
    found = (re.match(listed, name) for name in names)
    return {match[1] for match in found if match}
