"""The list of other people's work is what the shipped files say of themselves."""

from __future__ import annotations

import json
import re
import subprocess
import zipfile
from email import message_from_bytes
from typing import TYPE_CHECKING

import pytest
from packaging.licenses import canonicalize_license_expression

from build_steps.folders import NODE_MODULES
from build_steps.licenses.third_party import (
    FOLDER,
    PARTS,
    PUBLIC_DOMAIN,
    Component,
    components,
    package_license,
    text_file,
    third_party_markdown,
)
from build_steps.programs import find_program

if TYPE_CHECKING:
    from pathlib import Path

WITHOUT_COPYRIGHT = {"BSD-2-Clause", "BSD-3-Clause", "MIT", "Zlib"}
"""Texts of terms alone, to which a component adds its notice."""

NOT_IN_AN_SBOM = {"Rust standard library"}


def _listed(part: str) -> list[Component]:
    return [component for component in components() if component.part == part]


@pytest.fixture(scope="module")
def wheels(dist: Path) -> list[zipfile.ZipFile]:
    """The wheels of others in the assets."""
    names = sorted((dist / "npm" / "assets").glob("treeglass-*/*.whl"))
    return [zipfile.ZipFile(name) for name in names if not name.name.startswith("treeglass-")]


def _members(wheel: zipfile.ZipFile, pattern: str) -> list[bytes]:
    return [wheel.read(name) for name in wheel.namelist() if re.search(pattern, name)]


def test_the_wheels_are_listed_as_their_metadata_name_them(wheels: list[zipfile.ZipFile]) -> None:
    told = []
    for wheel in wheels:
        (metadata,) = _members(wheel, r"\.dist-info/METADATA$")
        fields = message_from_bytes(metadata)
        name = fields["Name"].replace("-", "_")
        told.append((name, fields["Version"], fields["License-Expression"]))

    assert sorted(told) == sorted((it.name, it.version, it.license) for it in _listed("wheels"))


def test_the_components_in_the_sboms_of_the_wheels_are_listed_and_no_others(
    wheels: list[zipfile.ZipFile],
) -> None:
    sboms = [json.loads(sbom) for wheel in wheels for sbom in _members(wheel, r"/sboms/.*\.json$")]
    told = [
        (it["name"], it["version"], it["licenses"][0]["expression"])
        for sbom in sboms
        for it in sbom["components"]
    ]
    listed = [
        (it.name, it.version, it.license)
        for it in _listed("pydantic_core")
        if it.name not in NOT_IN_AN_SBOM
    ]

    assert len(told) == 87
    assert sorted(told) == sorted(listed)


_TELL = """
const { loadPyodide } = await import(process.argv[1]);
const pyodide = await loadPyodide();
const told = pyodide.runPython(`
import ctypes, json, platform, sqlite3, sys, sysconfig, unicodedata, zlib
import _decimal, _zstd, pyexpat
library = ctypes.CDLL(None)
def version_of(function):
    function = getattr(library, function)
    function.restype = ctypes.c_char_p
    return function().decode()
json.dumps({
    "linked": sorted(set(sysconfig.get_config_var("MODLIBS").split())),
    "versions": {
        "CPython": platform.python_version(),
        "Emscripten": ".".join(map(str, sys._emscripten_info.emscripten_version)),
        "SQLite": sqlite3.sqlite_version,
        "Unicode Character Database": unicodedata.unidata_version,
        "XZ Utils (liblzma)": version_of("lzma_version_string"),
        "Zstandard": _zstd.zstd_version,
        "bzip2": version_of("BZ2_bzlibVersion").split(",")[0],
        "expat": pyexpat.EXPAT_VERSION.removeprefix("expat_"),
        "libmpdec": _decimal.__libmpdec_version__,
        "zlib": zlib.ZLIB_RUNTIME_VERSION,
    },
})
`);
console.log(JSON.stringify({ ...JSON.parse(told), pyodide: pyodide.version }));
"""


@pytest.fixture(scope="module")
def told() -> dict[str, object]:
    """What the interpreter says of what it was linked with."""
    pyodide = NODE_MODULES / "pyodide" / "pyodide.mjs"
    said = subprocess.run(
        [find_program("node"), "--input-type=module", "-e", _TELL, "--", pyodide.as_uri()],
        capture_output=True,
        check=True,
        text=True,
    )
    answer: dict[str, object] = json.loads(said.stdout)
    return answer


def test_the_versions_are_those_that_the_interpreter_tells(told: dict[str, object]) -> None:
    versions = {it.name: it.version for it in _listed("pyodide")}
    asked = told["versions"]

    assert isinstance(asked, dict)
    assert {"Pyodide": told["pyodide"], **asked} == {
        name: versions[name] for name in ("Pyodide", *asked)
    }


def test_the_interpreter_is_linked_with_the_listed_libraries_and_no_others(
    told: dict[str, object],
) -> None:
    linked = told["linked"]
    assert isinstance(linked, list)
    libraries = {word for word in linked if re.match(r"-l|-sUSE_|.*\.a$", word)}

    assert libraries == {
        "-lbz2",
        "-llzma",
        "-lm",
        "-lsqlite3",
        "-lzstd",
        "-sUSE_ZLIB",
        "Modules/_decimal/libmpdec/libmpdec.a",
        "Modules/expat/libexpat.a",
    }


_NOTICE = re.compile(
    r"(?:\(c\) )?Copyright(?: +\(C\))? +(?:\d{4}|CNRI).*|(?<=SPDX-FileCopyrightText: )\d{4}.*",
    re.IGNORECASE,
)


def test_the_notices_in_the_modules_of_the_standard_library_are_listed(dist: Path) -> None:
    (shipped,) = (dist / "npm" / "assets").glob("pyodide-*/python_stdlib.zip.bin")
    sources = zipfile.ZipFile(NODE_MODULES / "pyodide" / "python_stdlib.zip")
    modules = [name[:-1] for name in zipfile.ZipFile(shipped).namelist() if name.endswith(".pyc")]
    notices = {
        " ".join(notice.split()).rstrip('",')
        for module in modules
        for notice in _NOTICE.findall(sources.read(module).decode())
        if "Python Software Foundation" not in notice
    }
    listed = third_party_markdown()

    assert len(notices) > 10
    assert {notice for notice in notices if notice not in listed} == set()


def test_each_component_has_its_texts_and_a_notice_or_the_reason_why_not() -> None:
    listed = components()
    used = {text for component in listed for text in component.texts}
    bare = [
        component.name
        for component in listed
        if set(component.texts) <= WITHOUT_COPYRIGHT and not (component.copyright or component.note)
    ]

    assert {file.stem for file in (FOLDER / "texts").iterdir()} == used
    assert all(text_file(name).read_text("utf-8").strip() for name in used)
    assert {component.part for component in listed} == set(PARTS)
    assert bare == []


def test_what_is_taken_is_one_of_the_offered_licences() -> None:
    for component in components():
        if component.license == PUBLIC_DOMAIN:
            continue
        offered = re.split(r" (?:AND|OR) ", re.sub(r"[()]", "", component.license))
        taken = (component.taken or component.license).split(" AND ")

        canonicalize_license_expression(component.license)
        assert set(taken) <= set(offered), component.name


def test_the_licence_of_the_package_is_a_valid_expression() -> None:
    assert canonicalize_license_expression(package_license()) == package_license()


def test_the_package_has_the_list_with_every_text(dist: Path) -> None:
    told = (dist / "npm" / "THIRD-PARTY.md").read_text("utf-8")
    texts = {file.stem: file.read_text("utf-8") for file in (FOLDER / "texts").iterdir()}

    assert told == third_party_markdown()
    assert [name for name, text in texts.items() if text not in told] == []
