"""The client inside the real workerd, when its interpreter or its network fails."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from build_steps.folders import ROOT, WEB
from build_steps.programs import find_program, run_quietly
from tests.edge.held_files import HeldFiles
from tests.support.hosts.workerd_support import PACKAGE, RunningWorkerd, serving

pytestmark = pytest.mark.xdist_group("workerd")

_HERE = Path(__file__).parent
_FAILED = "The Python interpreter failed. The next call has another one, with the same mounts."
_RESTORED = {
    "kept": "Absolute path: /kept\na.txt",
    "archive": "Absolute path: /archive\na.txt",
}


@pytest.fixture
def worker(tmp_path: Path) -> Iterator[RunningWorkerd]:
    """A Worker whose interpreter can be asked, before its start."""
    bundled = tmp_path / "internals.js"
    run_quietly(
        [
            find_program("node"),
            ROOT / "build_steps" / "npm" / "bundle_workerd.mjs",
            WEB,
            _HERE / "workerd_internals.mjs",
            PACKAGE / "assets",
            bundled,
        ],
        folder=ROOT,
        log_name="bundle-workerd-internals",
        otherwise="tests/edge/workerd/workerd_internals.mjs could not be bundled.",
    )
    modules = {
        "stories.mjs": (_HERE / "workerd_recovery_stories.mjs").read_text("utf-8"),
        "treeglass/internals.js": bundled.read_text("utf-8"),
    }
    with serving(tmp_path / "worker", modules) as running:
        yield running


def test_chance_and_modules_come_in_a_visit_after_one_that_left_at_once(
    worker: RunningWorkerd,
) -> None:
    worker.ask_and_leave("/start", {})

    assert worker.ask("/chance", {}) == {
        "isSeededByTheFirst": True,
        "isSeededOnce": True,
        "lengths": [32, 32],
        "differ": True,
        "startedCount": 1,
    }
    assert worker.ask("/lateModules", {}) == ["size"]


def test_mounts_are_restored_even_if_a_visit_is_dropped_meanwhile(
    worker: RunningWorkerd, files: HeldFiles
) -> None:
    files.release.set()
    worker.ask("/mountBoth", {"archive": files.held_archive})
    files.wait_until_asked()
    assert worker.ask("/die", {}) == ["WorkerFailed", _FAILED]
    files.release.clear()
    worker.ask_and_leave("/goOn", {}, after=files.wait_until_asked)
    files.release.set()

    assert worker.ask("/goOn", {}) == _RESTORED | {"startedCount": 2}
