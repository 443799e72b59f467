"""The example for Cloudflare Workers, run by its documented command, against CPython's answers."""

from __future__ import annotations

import json
import re
import subprocess
import tarfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from build_steps.folders import WEB
from build_steps.programs import find_program
from tests.browser.cpython_answers import without_duration
from tests.edge.served_calls import ServedTools
from tests.support.shell_support import end_with_children
from tests.support.workerd_support import installed_example, wrangler_environment

if TYPE_CHECKING:
    from collections.abc import Iterator

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
    with subprocess.Popen(
        [find_program("npx"), "wrangler", "dev", "--ip=127.0.0.1", "--port=0", *options],
        cwd=installed_example(),
        env=wrangler_environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        start_new_session=True,
    ) as wrangler:
        assert wrangler.stdout is not None
        said = []
        try:
            for line in wrangler.stdout:
                said.append(line)
                if found := re.search(r"Ready on http://127\.0\.0\.1:(\d+)", line):
                    yield int(found[1])
                    break
            else:
                pytest.fail("it was never ready, but said:\n" + "".join(said))
        finally:
            end_with_children(wrangler)


def _over_mcp(port: int) -> dict[str, Any]:
    client = Path(__file__).with_name("mcp_http_client.mjs")
    job = {"address": f"http://127.0.0.1:{port}/mcp", "mode": "auto", "calls": _CALLS}
    done = subprocess.run(
        [find_program("node"), client, WEB / "package.json"],
        input=json.dumps(job),
        check=True,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )
    session: dict[str, Any] = json.loads(done.stdout)
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
    done = subprocess.run(
        [find_program("npx"), "wrangler", *arguments],
        cwd=installed_example(),
        env=wrangler_environment(),
        stdin=subprocess.DEVNULL,
        check=True,
        capture_output=True,
        encoding="utf-8",
        timeout=300,
    )
    return done.stdout


def test_the_deployed_worker_is_within_the_documented_size() -> None:
    said = _wrangler("deploy", "--dry-run", "--env=")

    found = re.search(r"Total Upload: ([\d.]+) KiB / gzip: ([\d.]+) KiB", said)
    assert found is not None, said
    assert float(found[1]) * 1024 < _UPLOADED_BYTES_MAX
