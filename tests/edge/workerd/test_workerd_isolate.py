"""The package inside the real workerd: what an isolate's clients can rely on."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.edge.held_files import HeldFiles
from tests.support.hosts.workerd_support import RunningWorkerd, serving
from tests.support.offered_tools import OFFERED_TOOLS

pytestmark = pytest.mark.xdist_group("workerd")

_LISTED = "Absolute path: /repo\nREADME.md\nsrc/\n  app.py"
_NO_FOLDERS = (
    "A Worker has no folders of a machine; bundle the tree as an archive and pass { archive }, "
    "or fetch it from a bound store."
)

_ISOLATE_BYTES_MAX = 128 * 1024 * 1024
"""What an isolate may have, on every plan: Cloudflare's documentation in November 2026."""

_GROWTH_BYTES_MAX = 16 * 1024 * 1024
"""Between one thousand calls and the next: less than a leak of 16 KiB in each call."""

_STORIES = {
    "stories.mjs": Path(__file__).with_name("workerd_stories.mjs").read_text("utf-8"),
}
_NOTHING = "export default { fetch: () => Response.json(null) };"


@pytest.fixture(scope="module")
def worker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningWorkerd]:
    """A Worker that tells stories."""
    with serving(tmp_path_factory.mktemp("workerd"), _STORIES) as running:
        yield running


def test_tools_start_and_answer_in_the_global_scope(worker: RunningWorkerd) -> None:
    assert worker.ask("/startAtTop", {}) == {
        "way": "image",
        "reason": None,
        "listed": _LISTED,
        "mounted": [["/repo", 2], ["/other", 1]],
    }


def test_what_need_not_wait_is_done_before_anything_else_can_happen(
    worker: RunningWorkerd,
) -> None:
    assert worker.ask("/doneAtOnce", {}) == {"connect": True, "callTool": True}


def test_a_client_that_waits_holds_up_itself_alone_and_sees_nothing_of_another(
    worker: RunningWorkerd, files: HeldFiles
) -> None:
    assert worker.ask("/clientsApart", {"manifest": files.manifest}) == {
        "before": 0,
        "ofOne": ["L1: held", "Unknown tool: list_dir"],
        "ofTwo": [
            "failed to read directory: No such file or directory (os error 2)",
            "Absolute path: /two\nREADME.md\nsrc/\n  app.py",
            {"cwd": "src", "params_input": {}, "path_resolved": "src"},
        ],
        "tools": [
            ["Glob", "Grep", "LS", "Read", "Search", "list_directory", "read_file"],
            OFFERED_TOOLS,
        ],
    }


def test_a_visitor_who_leaves_in_the_middle_keeps_no_other_visitor_waiting(
    worker: RunningWorkerd, files: HeldFiles
) -> None:
    held = {"url": files.held}
    worker.ask_and_leave("/leaveWhileMounting", held, after=files.wait_until_asked)

    assert worker.ask("/goOn", {}) == {
        "listed": "Absolute path: /kept\nREADME.md\nsrc/\n  app.py",
        "mounts": 1,
    }


def test_every_source_that_there_can_be_is_mounted(
    worker: RunningWorkerd, files: HeldFiles
) -> None:
    given = {"manifest": files.manifest, "archive": files.archive}

    assert worker.ask("/sources", given) == {
        "/archive/a.txt": "L1: packed",
        "/blob/a.txt": "L1: packed",
        "/files/chosen.txt": "L1: chosen",
        "/manifest/now.txt": "L1: now",
    }


def test_what_cannot_be_done_is_refused_with_a_sentence(
    worker: RunningWorkerd, files: HeldFiles
) -> None:
    assert worker.ask("/refusals", {"held": files.held}) == {
        "directory": [
            "SourceUnknown",
            _NO_FOLDERS,
        ],
        "config": [
            "ConfigInvalid",
            (
                "tools.nonsense: unknown key; the known ones are approval, edit, "
                "experimental_supported_tools, family, forge_read, glob, list_dir, list_directory, "
                "max_tool_args_bytes, mode, names, offered, output, read_file, sandbox, search, "
                "timeouts"
            ),
        ],
        "abortedBefore": "AbortError",
        "abortedMeanwhile": "AbortError",
        "mounts": 0,
        "twice": [
            "WorkspaceInvalid",
            "'/same' is mounted already; unmount it, use another path, or pass replace: true",
        ],
        "closed": ["Closed", "The client was closed; connect again."],
    }


def test_memory_is_within_an_isolate_s_limit_and_stays_as_it_is(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    # A process has more in it than its isolate: what a Worker that does nothing has, which brings
    # the same files, is taken off.
    with serving(tmp_path, {"nothing.mjs": _NOTHING}) as idle:
        idle.ask("/")
        without_bytes = idle.resident_bytes
    with serving(tmp_path_factory.mktemp("busy"), _STORIES) as busy:
        after_bytes = []
        for _ in range(2):
            busy.ask("/callOften", {"calls": 1000})
            after_bytes.append(busy.resident_bytes)

    assert max(after_bytes) - without_bytes < _ISOLATE_BYTES_MAX
    assert after_bytes[1] - after_bytes[0] < _GROWTH_BYTES_MAX
