"""The example for Cloudflare Workers, run by its documented command, against CPython's answers."""

import re
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from build_steps.folders import WEB
from build_steps.programs import find_program
from tests.browser.cpython_answers import without_duration
from tests.edge.example_servers import ask_node
from tests.edge.served_calls import ServedTools
from tests.support.hosts.workerd_support import installed_example, wrangler_environment
from tests.support.programs import printed_by
from tests.support.shell_support import left_running

pytestmark = pytest.mark.xdist_group("workerd")

_CALLS: list[tuple[str, dict[str, Any]]] = [
    ("list_dir", {"dir_path": "/repo"}),
    ("read_file", {"file_path": "/repo/src/berths.py", "offset": 3, "limit": 4}),
    ("grep_files", {"pattern": "berth", "path": "/repo/src/berths.py"}),
    ("read_file", {"file_path": "/repo/nope"}),
    ("list_dir", {"dir_path": "relative"}),
]

_UPLOADED_BYTES_MAX = 64 * 1024 * 1024
"""A Worker before compression, on every plan: Cloudflare's documentation in November 2026."""


@contextmanager
def _developing(*options: str) -> Iterator[int]:
    """Run the documented `npx wrangler dev` on any free port until the context ends."""
    wrangler = (find_program("npx"), "wrangler", "dev", "--ip=127.0.0.1", "--port=0", *options)
    ready = r"Ready on http://127\.0\.0\.1:(\d+)"
    env = wrangler_environment()
    with left_running(*wrangler, folder=installed_example(), env=env, says=ready) as found:
        yield int(found[1])


def _over_mcp(port: int) -> dict[str, Any]:
    job = {"address": f"http://127.0.0.1:{port}/mcp", "mode": "auto", "calls": _CALLS}
    session: dict[str, Any] = ask_node("mcp_http_client.mjs", job, str(WEB / "package.json"))
    for answer in session["answers"]:
        for part in answer["content"]:
            part["text"] = without_duration(part["text"])
    return session


@pytest.fixture(scope="module")
def served() -> ServedTools:
    """CPython's answers over the example's tree."""
    return ServedTools(installed_example() / "tree")


def _require_cpythons_answers(session: dict[str, Any], served: ServedTools) -> None:
    assert session["tools"] == served.listing()["answer"]["result"]["tools"]
    assert session["answers"] == [served.content(*call) for call in _CALLS]


def test_the_worker_answers_as_cpython_does(served: ServedTools) -> None:
    with _developing() as port:
        _require_cpythons_answers(_over_mcp(port), served)


def test_a_tree_in_a_bucket_is_answered_from(served: ServedTools) -> None:
    folder = installed_example()
    with tarfile.open(folder / "tree.bin", "w") as archive:
        archive.add(folder / "tree", ".")
    _wrangler("r2", "object", "put", "trees/tree.bin", "--file=tree.bin", "--local")

    with _developing("--env=stored") as port:
        _require_cpythons_answers(_over_mcp(port), served)


def _wrangler(*arguments: str) -> str:
    wrangler = (find_program("npx"), "wrangler", *arguments)
    return printed_by(
        *wrangler, folder=installed_example(), env=wrangler_environment(), timeout=300
    )


def test_the_deployed_worker_is_within_the_documented_size() -> None:
    said = _wrangler("deploy", "--dry-run", "--env=")

    found = re.search(r"Total Upload: ([\d.]+) KiB / gzip: ([\d.]+) KiB", said)
    assert found is not None, said
    assert float(found[1]) * 1024 < _UPLOADED_BYTES_MAX
