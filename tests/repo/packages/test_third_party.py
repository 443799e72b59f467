"""The list of other people's work is what the shipped files say of themselves."""

import re
import zipfile
from pathlib import Path

import pytest
from packaging.licenses import canonicalize_license_expression

from build_steps.folders import NODE_MODULES
from build_steps.licenses.shipped_versions import (
    Interpreter,
    ask_interpreter,
    sbom_components,
    wheel_metadata,
)
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

WITHOUT_COPYRIGHT = {"BSD-2-Clause", "BSD-3-Clause", "MIT", "Zlib"}
"""Texts of terms alone, to which a component adds its notice."""

NOT_IN_AN_SBOM = {"Rust standard library"}


def _listed(part: str) -> list[Component]:
    return [component for component in components() if component.part == part]


@pytest.fixture(scope="module")
def wheels(dist: Path) -> list[Path]:
    """The wheels of others in the assets."""
    shipped = sorted((dist / "npm" / "assets").glob("treeglass-*/*.whl"))
    return [wheel for wheel in shipped if not wheel.name.startswith("treeglass-")]


def test_the_wheels_are_listed_as_their_metadata_name_them(wheels: list[Path]) -> None:
    listed = sorted((it.name, it.version, it.license) for it in _listed("wheels"))

    assert sorted(wheel_metadata(wheels)) == listed


def test_the_components_in_the_sboms_of_the_wheels_are_listed_and_no_others(
    wheels: list[Path],
) -> None:
    told = sbom_components(wheels)
    listed = [
        (it.name, it.version, it.license)
        for it in _listed("pydantic_core")
        if it.name not in NOT_IN_AN_SBOM
    ]

    assert told != []
    assert sorted(told) == sorted(listed)


@pytest.fixture(scope="module")
def told() -> Interpreter:
    """What the interpreter says of what it was linked with."""
    return ask_interpreter()


def test_the_versions_are_those_that_the_interpreter_tells(told: Interpreter) -> None:
    versions = {it.name: it.version for it in _listed("pyodide")}

    assert told.versions == {name: versions[name] for name in told.versions}


def test_the_interpreter_is_linked_with_the_listed_libraries_and_no_others(
    told: Interpreter,
) -> None:
    libraries = {word for word in told.linked if re.match(r"-l|-sUSE_|.*\.a$", word)}

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
