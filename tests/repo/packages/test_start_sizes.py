"""The files that a visitor waits for stay as small as the documentation says."""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import pytest

from build_steps.freshness import sha256_of
from build_steps.runtime.assets import LOCK_NAME, SHIPPED_LIBRARY, STANDARD_LIBRARY, START_NAME
from build_steps.runtime.bytecode import PYODIDE
from build_steps.runtime.smaller.split import first_name, late_name
from build_steps.runtime.smaller.trimmed import CODE, ENGINE_FILES, GLUE, LOADER, SIDE_MODULE
from build_steps.web.compress import SUFFIXES, compress

pytestmark = pytest.mark.rebuild

MAX_INDEX_GZIP_BYTES = 16_200
"""It grew by the choice between a new interpreter and a new worker after a failure, by the methods
about changes and about files, and by what is said of a source of two trees and of lost assets."""
MAX_SHARE_OF_A_BARE_START = 0.67
"""The image is the difference: half of its compressed bytes are addresses of objects.

With the definitions of the tools that change it would be 0.675; a page that offers none of these
tools does not fetch them.
"""

_TOLERANCE = 0.02
"""An edit of a module does not change the documentation each time."""
_LEAST_TOLERANCE_BYTES = 64
"""Hashes in a short list compress a little better or worse each time."""


class _Size(NamedTuple):
    """Bytes of one file, by the encoding in which it is sent."""

    raw_bytes: float
    gzip_bytes: float
    brotli_bytes: float


def _sum(sizes: Iterable[_Size]) -> _Size:
    return _Size(*map(sum, zip(*sizes, strict=True)))


def _served(file: Path) -> _Size:
    """Return the bytes that a host with siblings sends: the file itself if it has no sibling."""
    sizes = [file.stat().st_size]
    for suffix in (SUFFIXES["gzip"], SUFFIXES["br"]):
        sibling = file.with_name(file.name + suffix)
        sizes.append((sibling if sibling.exists() else file).stat().st_size)
    return _Size(*sizes)


def _compressed(*files: Path) -> dict[str, _Size]:
    """Return what files are that have no siblings, compressed in the same way.

    That takes a minute, so `bare_start.json` has the sizes of a file by its hash.
    """
    recorded = json.loads(Path(__file__).with_name("bare_start.json").read_text("utf-8"))
    found = {file: recorded.get(sha256_of(file)) for file in files}
    wanted = [(file, e) for file, sizes in found.items() if not sizes for e in ("gzip", "br")]
    results = compress(wanted, step="sizes")
    for file, _ in wanted:
        compressed = (file, results[file, "gzip"], results[file, "br"])
        found[file] = [one.stat().st_size for one in compressed]
    return {file.name: _Size(*sizes) for file, sizes in found.items()}


class _Tables(NamedTuple):
    first_answer: dict[str, _Size]
    late_parts: dict[str, _Size]
    ordinary_start: dict[str, _Size]
    bare_start: dict[str, _Size]


@pytest.fixture(scope="module")
def measured(dist: Path) -> _Tables:
    """The built files that each way to start fetches."""
    site = dist / "site"
    (pyodide,) = (site / "assets").glob("pyodide-*/")
    (packages,) = (site / "assets").glob("treeglass-*/")
    client = {
        "index.js": _served(site / "index.js"),
        "worker.js": _served(site / "assets" / "worker.js"),
        START_NAME: _served(site / "assets" / START_NAME),
    }
    scripts = {name: _served(pyodide / name) for name in (LOADER, GLUE)}
    code = {name: _served(pyodide / name) for name in (first_name(CODE), late_name(CODE))}
    first = {
        **{name: _served(pyodide / name) for name in (LOADER, GLUE, first_name(CODE))},
        **{name: _served(packages / name) for name in (first_name(SIDE_MODULE), "image.bin")},
    }
    late = {
        late_name(CODE): _served(pyodide / late_name(CODE)),
        late_name(SIDE_MODULE): _served(packages / late_name(SIDE_MODULE)),
    }
    ordinary = [pyodide / SHIPPED_LIBRARY, packages / LOCK_NAME, *sorted(packages.glob("*.whl"))]
    bare = (*ENGINE_FILES, STANDARD_LIBRARY, LOCK_NAME)
    return _Tables(
        {**client, **first},
        late,
        {**client, **scripts, **code, **{file.name: _served(file) for file in ordinary}},
        _compressed(*(PYODIDE / name for name in bare)),
    )


def _told(root: Path, heading: str) -> dict[str, _Size]:
    """Return the rows of the table below a heading of the documentation."""
    text = (root / "docs" / "hosting.md").read_text("utf-8")
    section = text.partition(f"\n### {heading}\n")[2].partition("\n#")[0]
    rows = re.findall(r"^\| (\S.*?) +\|" + r" +([\d,.]+) \|" * 3 + "$", section, re.MULTILINE)
    return {
        name.strip("`"): _Size(*(float(number.replace(",", "")) for number in numbers))
        for name, *numbers in rows
    }


def _near(sizes: dict[str, _Size]) -> dict[str, object]:
    # Shown if the test fails, for the documentation.
    for name, size in sizes.items():
        shown = (f"{number:,}" if number > 1_000 else f"{round(number, 3)}" for number in size)
        print(f"| {name} | {' | '.join(shown)} |")  # noqa: T201  # pytest hides it otherwise
    return {
        # A ratio is no number of bytes.
        name: pytest.approx(
            size, rel=_TOLERANCE, abs=_LEAST_TOLERANCE_BYTES if size.raw_bytes > 1_000 else 0
        )
        for name, size in sizes.items()
    }


def _ratio(measured: _Tables) -> _Size:
    ours, bare = _sum(measured.first_answer.values()), _sum(measured.bare_start.values())
    return _Size(*(our / other for our, other in zip(ours, bare, strict=True)))


@pytest.mark.parametrize(
    ("heading", "files"),
    [
        ("From the image", "first_answer"),
        ("After the first answer", "late_parts"),
        ("From the packages", "ordinary_start"),
        ("A bare Pyodide", "bare_start"),
    ],
)
def test_the_documentation_tells_what_a_start_costs(
    root: Path, measured: _Tables, heading: str, files: str
) -> None:
    sizes: dict[str, _Size] = getattr(measured, files)
    rows = {**sizes, "Together": _sum(sizes.values())}
    if files == "first_answer":
        rows["Of a bare start"] = _ratio(measured)

    assert _told(root, heading) == _near(rows)


def test_the_first_answer_costs_little_more_than_a_bare_start(measured: _Tables) -> None:
    assert _ratio(measured).brotli_bytes <= MAX_SHARE_OF_A_BARE_START


def test_the_client_stays_small(measured: _Tables) -> None:
    assert measured.first_answer["index.js"].gzip_bytes <= MAX_INDEX_GZIP_BYTES
