"""The wheel holds the package and nothing else, and is what these tests run against."""

import importlib.metadata
import os
import shutil
import zipfile
from pathlib import Path

import pytest

from build_steps.freshness import sha256_of
from build_steps.wheels.wheel import build_wheel_into, wheel_path

MAX_WHEEL_BYTES = 480_000
"""A quarter of it is the command line and what builds documentation, which no page loads.

A seventh of it is searching, and a fifth what changes and what reviews changes: a page fetches
these when a call needs them.
"""


@pytest.fixture(scope="module")
def wheel(dist: Path) -> Path:
    """The built wheel, the only one."""
    (only,) = (dist / "wheels").iterdir()
    return only


def test_wheel_has_the_name_of_this_version(wheel: Path) -> None:
    assert wheel == wheel_path()


def test_wheel_holds_the_tracked_package_and_its_metadata_and_nothing_else(
    wheel: Path, tracked: tuple[str, ...]
) -> None:
    package = {name.removeprefix("src/") for name in tracked if name.startswith("src/treeglass/")}
    metadata = wheel.name.removesuffix("-py3-none-any.whl") + ".dist-info"
    described_by = {
        f"{metadata}/{name}"
        for name in ("METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE")
    }

    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if not name.endswith("/")}

    assert held == package | described_by


def test_wheel_needs_pydantic_and_nothing_else_unless_asked_for_more() -> None:
    assert importlib.metadata.requires("treeglass") == [
        "pydantic>=2.10,<3",
        "markdown-it-py>=3,<5 ; extra == 'markdown'",
        "mcp>=2.3,<3 ; extra == 'mcp'",
        "mkdocs>=1.6,<2 ; extra == 'mkdocs'",
        "sphinx>=7.4,<10 ; extra == 'sphinx'",
    ]


def test_sites_find_the_plugin_by_its_name() -> None:
    points = importlib.metadata.distribution("treeglass").entry_points

    assert [(point.group, point.name, point.value) for point in points] == [
        ("console_scripts", "treeglass", "treeglass.__main__:main"),
        ("mkdocs.plugins", "treeglass", "treeglass.authoring.mkdocs:TreeglassPlugin"),
    ]


def test_what_pages_load_has_nothing_of_the_extras(dist: Path) -> None:
    extras = ("markdown", "mcp", "mkdocs", "sphinx")
    carried = [path.name for path in dist.rglob("*.whl") if path.name.startswith(extras)]
    locks = [path.read_text("utf-8") for path in dist.rglob("pyodide-lock.json")]

    assert carried == []
    assert [name for name in extras for lock in locks if f'"{name}' in lock] == []
    assert locks, "the assets have no lock under this name"


def test_what_pages_load_has_nothing_for_authors(dist: Path) -> None:
    carried = []
    for path in (dist / "npm" / "assets").rglob("treeglass-*.whl"):
        with zipfile.ZipFile(path) as archive:
            carried.append({name.split("/")[1].split(".")[0] for name in archive.namelist()})

    for_authors = {"__main__", "authoring", "command", "pack", "sphinx"}
    assert [names & for_authors for names in carried] == [set()]


def test_wheel_stays_small(wheel: Path) -> None:
    assert wheel.stat().st_size <= MAX_WHEEL_BYTES


def test_wheel_is_a_sound_archive(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        assert archive.testzip() is None


@pytest.mark.rebuild
def test_a_second_build_of_the_same_sources_elsewhere_gives_the_same_bytes(
    wheel: Path, root: Path, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "sources"
    leave_behind = shutil.ignore_patterns("__pycache__")
    shutil.copytree(root / "src", elsewhere / "src", ignore=leave_behind, copy_function=shutil.copy)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(root / name, elsewhere / name)
    for path in elsewhere.rglob("*"):
        os.utime(path, (1_000_000_000, 1_000_000_000))

    build_wheel_into(tmp_path / "built", sources=elsewhere)

    (again,) = (tmp_path / "built").iterdir()
    assert (again.name, sha256_of(again)) == (wheel.name, sha256_of(wheel))


def test_these_tests_run_against_the_built_wheel_and_not_the_sources(
    wheel: Path, root: Path
) -> None:
    installed = Path(str(importlib.metadata.distribution("treeglass").locate_file("treeglass")))
    assert not installed.is_relative_to(root / "src"), (
        "these are the sources: `python build.py test` installs the wheel"
    )

    with zipfile.ZipFile(wheel) as archive:
        different = [
            name
            for name in archive.namelist()
            if name.startswith("treeglass/")
            and not name.endswith("/")
            and (installed.parent / name).read_bytes() != archive.read(name)
        ]

    assert different == []
