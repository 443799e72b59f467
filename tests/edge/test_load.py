"""Ten thousand calls, a third of them wrong, and a server that is killed in the middle."""

import json
import shutil
import subprocess
import tarfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest

from build_steps.programs import find_program
from tests.edge.example_servers import EDGE, ServerExample, ServingProcess, copied_checkout
from tests.edge.served_calls import ServedTools, wrong_requests
from tests.edge.workerd.worker_example import bundle_worker, bundled_tree, serving_worker
from tests.support.hosts.workerd_support import EXAMPLE

COUNT = 10_000
SHORT_COUNT = 3_000
CONCURRENCY = 32

WARM_UP_COUNT = 4_000
"""Answers by when everything was asked for dozens of times, and the process is as large as it gets.
"""

MAX_GROWTH_MIB = 8
"""Over the counted answers: 0.8 KiB for each."""

SMALL_HEAP = ("--max-old-space-size=64", "--max-semi-space-size=1")
"""Sizes in MiB of V8's two heaps; a leak hides in what a larger heap leaves.

With all that it may have, V8 leaves 100 MiB and more until it collects. Its heap for new objects
grows by 20 MiB within 15,000 answers if nothing limits it.
"""

_DONE_SECONDS = 850
"""Many times what it takes: other programs may use the machine."""

pytestmark = pytest.mark.timeout(900)


class LoadedServer:
    """A server that can be started over one tree."""

    def __init__(
        self, tree: Path, serving: Callable[[], AbstractContextManager[ServingProcess]]
    ) -> None:
        self.serving = serving
        self.requests = _mixed_requests(ServedTools(tree))


@pytest.fixture(scope="module", params=["node", "workerd"])
def loaded(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> LoadedServer:
    tree = tmp_path_factory.mktemp("tree") / "tree"
    if request.param == "workerd":
        folder = tmp_path_factory.mktemp("worker")
        config = bundle_worker(folder, *SMALL_HEAP)
        with tarfile.open(bundled_tree(folder)) as archive:
            # With the times that the archive has, which are whole seconds.
            archive.extractall(tree, filter="data")
        return LoadedServer(tree, lambda: serving_worker(config))
    # The tree that is a part of the Worker, so that both are asked the same.
    shutil.copytree(EXAMPLE / "tree", tree)
    example = ServerExample("node", copied_checkout(tmp_path_factory.mktemp("checkout")))
    example.install()
    return LoadedServer(tree, lambda: example.serving(tree, node_options=" ".join(SMALL_HEAP)))


def _mixed_requests(served: ServedTools) -> list[dict[str, Any]]:
    """Return requests with their answers, every third of them wrong in its own way."""
    right = [
        served.listing(),
        served.call("list_dir", {"dir_path": "/repo"}),
        served.call("list_dir", {"dir_path": "/repo", "depth": 1}),
        served.call("list_dir", {"dir_path": "/repo/src", "limit": 1}),
        served.call("list_dir", {"dir_path": "/repo", "limit": 2}),
        served.call("read_file", {"file_path": "/repo/README.md"}),
        served.call("read_file", {"file_path": "/repo/src/ships.csv", "offset": 2, "limit": 3}),
        served.call("read_file", {"file_path": "/repo/docs/tides.md"}),
        served.call("list_dir", {"dir_path": "/repo/src"}),
        served.call("list_dir", {"dir_path": "/repo/docs"}),
        served.call("grep_files", {"pattern": "x", "include": "*.md"}),
        served.call("grep_files", {"pattern": "x", "path": ".."}),
        served.call("list_dir", {"dir_path": "/repo", "limit": 1}),
        served.call("read_file", {"file_path": "/repo/src/berths.py"}),
        served.call("grep_files", {"pattern": "x", "path": "/repo/src"}),
        served.call("grep_files", {"pattern": "("}),
        served.call("read_file", {"file_path": "/repo/README.md", "limit": 1}),
        served.call("grep_files", {"pattern": "x", "limit": 1}),
    ]
    wrong = [
        *wrong_requests(),
        served.call("read_file", {"file_path": "/repo/nothing"}),
        served.call("list_dir", {"dir_path": 7}),
    ]
    assert len(right) == 2 * len(wrong)
    return [call for two, one in zip(_pairs(right), wrong, strict=True) for call in (*two, one)]


def _pairs(members: list[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    return zip(members[::2], members[1::2], strict=True)


@contextmanager
def _driving(
    loaded: LoadedServer, server: ServingProcess, count: int, *, repeats: bool
) -> Iterator[subprocess.Popen[str]]:
    """Send the requests until the context ends; its standard output tells how far it is."""
    told = {
        "origin": server.origin,
        "pid": None if repeats else server.process.pid,
        "requests": loaded.requests,
        "count": count,
        "concurrency": CONCURRENCY,
        "repeats": repeats,
    }
    with subprocess.Popen(
        [find_program("node"), EDGE / "load_driver.mjs"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    ) as driver:
        try:
            _tell(driver, told)
            yield driver
        finally:
            driver.kill()


def _tell(driver: subprocess.Popen[str], line: object) -> None:
    assert driver.stdin is not None
    driver.stdin.write(f"{json.dumps(line)}\n")
    driver.stdin.flush()


def test_ten_thousand_mixed_calls_are_answered_right_and_keep_no_memory(
    loaded: LoadedServer,
) -> None:
    total_count = WARM_UP_COUNT + COUNT
    with (
        loaded.serving() as server,
        _driving(loaded, server, total_count, repeats=False) as driver,
    ):
        assert driver.stdout is not None
        *samples, outcome = [json.loads(line) for line in driver.stdout]
        assert driver.wait(_DONE_SECONDS) == 0

    assert outcome == {"answered": total_count, "broken": 0, "wrong": [], "wrongCount": 0}
    resident_mib = {sample["answered"]: sample["residentBytes"] / 2**20 for sample in samples}
    growth_mib = resident_mib[total_count] - resident_mib[WARM_UP_COUNT]
    assert growth_mib < MAX_GROWTH_MIB


def test_what_breaks_when_the_server_is_killed_succeeds_when_it_is_back(
    loaded: LoadedServer,
) -> None:
    with (
        loaded.serving() as killed,
        _driving(loaded, killed, SHORT_COUNT, repeats=True) as driver,
    ):
        assert driver.stdout is not None
        told = json.loads(driver.stdout.readline())
        killed.process.kill()
        killed.process.wait()
        with loaded.serving() as back:
            _tell(driver, {"origin": back.origin})
            *_, outcome = [json.loads(line) for line in driver.stdout]
            assert driver.wait(_DONE_SECONDS) == 0

    assert told["answered"] == SHORT_COUNT / 3
    broken = outcome.pop("broken")
    assert outcome == {"answered": SHORT_COUNT, "wrong": [], "wrongCount": 0}
    # Exactly the calls under way: the others waited until the server was back.
    assert 0 < broken <= CONCURRENCY
