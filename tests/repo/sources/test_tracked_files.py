"""Tracked files name no machine and stay readable."""

import re
from pathlib import Path

from build_steps.folders import ROOT
from build_steps.web.generated_types import FOLDER

MAX_MODULE_LINES = 400

# Put together here, so that this file does not hold the text itself.
_FOLDERS = "|".join(
    ["wor" + "k", "ro" + "ot", "far" + "m", "ho" + "me/[a-z]+", "Us" + "ers/[A-Za-z]+"]
)
_HOSTS = "|".join(
    ["registry" + r"\.npmjs", "pypi" + r"\.org", "python" + "hosted", "deb" + r"\.debian"]
)
_OF_ONE_MACHINE = re.compile(rf"(?:^|[^A-Za-z0-9_.])/(?:{_FOLDERS})/|{_HOSTS}|\.\./sh" + r"ared\b")
_GENERATED = f"{FOLDER.relative_to(ROOT).as_posix()}/"


def _lines(root: Path, name: str) -> list[str]:
    # Bytes that are no UTF-8 hold no text to look at.
    return (root / name).read_bytes().decode("utf-8", "replace").split("\n")


def test_no_tracked_file_names_a_machine_path_or_a_registry_host(
    root: Path, tracked: tuple[str, ...]
) -> None:
    named = [
        f"{name}:{number}: {line.strip()[:100]}"
        for name in tracked
        for number, line in enumerate(_lines(root, name), start=1)
        if _OF_ONE_MACHINE.search(line)
    ]

    assert named == []


def test_no_module_is_longer_than_a_reader_can_hold(root: Path, tracked: tuple[str, ...]) -> None:
    lengths = {
        name: len(_lines(root, name)) - 1
        for name in tracked
        if name.endswith((".py", ".ts", ".mjs")) and not name.startswith(_GENERATED)
    }

    assert {name: lines for name, lines in lengths.items() if lines > MAX_MODULE_LINES} == {}


def test_no_build_product_is_tracked(tracked: tuple[str, ...]) -> None:
    products = re.compile(
        r"^(?:dist|build|\.cache)/|node_modules/|__pycache__|\.pyc$|\.tsbuildinfo$"
    )

    assert [name for name in tracked if products.search(name)] == []
