"""The modules in the assets are bytecode of the pinned and built ones, and nothing else changed."""

import _imp
import base64
import csv
import hashlib
import zipfile
from pathlib import Path

import pytest

from build_steps.freshness import sha256_of
from build_steps.runtime.assets import SHIPPED_LIBRARY, STANDARD_LIBRARY
from build_steps.runtime.bytecode import PYODIDE, compile_archives
from build_steps.runtime.inside_pyodide import archive_bytecode
from build_steps.wheels.pinned_wheels import runtime_wheels

MAGIC_NUMBER = (3627).to_bytes(2, "little") + b"\r\n"
"""That of CPython 3.14, which is the one in Pyodide."""

HEADER = MAGIC_NUMBER + (1).to_bytes(4, "little")
"""The start of bytecode whose source is known by its hash and never looked for."""


@pytest.fixture(scope="module")
def sources(dist: Path) -> list[Path]:
    """The archives that the assets are compiled from: Pyodide's, ours and the pinned ones."""
    (ours,) = (dist / "wheels").iterdir()
    return [PYODIDE / STANDARD_LIBRARY, ours, *runtime_wheels()]


@pytest.fixture(params=["npm", "site"])
def assets(dist: Path, request: pytest.FixtureRequest) -> Path:
    """The assets of each of the two things that carry them."""
    folder: str = request.param
    return dist / folder / "assets"


def _members(archive: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(archive) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def _is_record(name: str) -> bool:
    return name.endswith(".dist-info/RECORD")


def _fingerprints_of_sources(archive: Path) -> dict[str, bytes]:
    """Return the start that each module must have, or the whole of each other member."""
    key = int.from_bytes(MAGIC_NUMBER, "little")
    return {
        f"{name}c" if name.endswith(".py") else name: HEADER + _imp.source_hash(key, content)
        if name.endswith(".py")
        else content
        for name, content in _members(archive).items()
        if not _is_record(name)
    }


def _fingerprints_of_results(archive: Path) -> dict[str, bytes]:
    return {
        name: content[:16] if name.endswith(".pyc") else content
        for name, content in _members(archive).items()
        if not _is_record(name)
    }


def _shipped_name(archive: Path) -> str:
    return SHIPPED_LIBRARY if archive.name == STANDARD_LIBRARY else archive.name


def _archives(assets: Path) -> list[Path]:
    return [*assets.rglob(SHIPPED_LIBRARY), *assets.rglob("*.whl")]


def test_each_archive_holds_the_bytecode_of_sources_and_all_else_as_it_was(
    assets: Path, sources: list[Path]
) -> None:
    originals = {_shipped_name(archive): _fingerprints_of_sources(archive) for archive in sources}
    results = {archive.name: _fingerprints_of_results(archive) for archive in _archives(assets)}

    assert results == {
        name: {member: original[member] for member in results[name]}
        for name, original in originals.items()
    }


def test_each_wheel_records_what_it_holds(assets: Path) -> None:
    recorded, held = {}, {}
    for wheel in assets.rglob("*.whl"):
        members = _members(wheel)
        (record,) = filter(_is_record, members)
        recorded[wheel.name] = sorted(csv.reader(members.pop(record).decode().splitlines()))
        held[wheel.name] = sorted([[record, "", ""], *map(_recorded, members.items())])

    assert recorded == held


def _recorded(member: tuple[str, bytes]) -> list[str]:
    name, content = member
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
    return [name, f"sha256={digest}", str(len(content))]


def test_archives_are_deflated_since_many_servers_send_them_as_they_are(assets: Path) -> None:
    methods = set()
    for archive in _archives(assets):
        with zipfile.ZipFile(archive) as opened:
            methods |= {member.compress_type for member in opened.infolist()}

    assert methods == {zipfile.ZIP_DEFLATED}


def test_each_module_names_as_its_file_where_the_interpreter_finds_it(assets: Path) -> None:
    homes = {
        archive: "/lib/python314.zip"
        if archive.name == SHIPPED_LIBRARY
        else "/lib/python3.14/site-packages"
        for archive in _archives(assets)
    }
    strangers = [
        (archive.name, name)
        for archive, home in homes.items()
        for name, content in _members(archive).items()
        if name.endswith(".pyc") and _short_text(f"{home}/{name.removesuffix('c')}") not in content
    ]

    assert strangers == []


def _short_text(text: str) -> bytes:
    """Return a text as marshal writes it after the type, so that no longer text matches."""
    return bytes([len(text)]) + text.encode()


def test_assets_name_no_folder_of_the_machine_that_built_them(assets: Path, root: Path) -> None:
    telling = [
        path.name
        for path in assets.rglob("*")
        if path.is_file() and bytes(root) in path.read_bytes()
    ]

    assert telling == []


def test_what_does_not_compile_stays_as_source_and_is_told(tmp_path: Path) -> None:
    sources, results = tmp_path / "sources", tmp_path / "results"
    sources.mkdir()
    results.mkdir()
    with zipfile.ZipFile(sources / "half-1.0-py3-none-any.whl", "w") as archive:
        archive.writestr("half/broken.py", "print(")
        archive.writestr("half/sound.py", "")

    told = archive_bytecode.compile_archives(str(sources), str(results), ["half.*"])

    members = _members(results / "half-1.0-py3-none-any.whl")
    reason = "'(' was never closed (broken.py, line 1)"
    assert (told, sorted(members), members["half/broken.py"]) == (
        [f"half-1.0-py3-none-any.whl: half/broken.py stays as source: {reason}."],
        ["half/broken.py", "half/sound.pyc"],
        b"print(",
    )


@pytest.mark.rebuild
def test_compiling_again_gives_the_same_bytes(
    dist: Path, sources: list[Path], tmp_path: Path
) -> None:
    library, ours, *pinned = sources
    compile_archives([library, *pinned], tmp_path)
    compile_archives([ours], tmp_path, "compile_without_docstrings")

    again = {_shipped_name(path): sha256_of(path) for path in tmp_path.iterdir()}
    assert again == {path.name: sha256_of(path) for path in _archives(dist / "npm" / "assets")}
