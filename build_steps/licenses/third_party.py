"""Writes `THIRD-PARTY.md` and the licence of the npm package from one list of components.

`components.toml` has a table for each component:

    name, version    the version is missing if the component has none of its own
    license          what its authors offer, as an SPDX expression or `public domain`
    taken            what the package takes of an offer with a choice
    part             a key of `PARTS`
    source           where its source code is
    copyright        the lines of its notice
    notice_of        the release that the notice was read in, if it is another one
    note             anything else that a reader has to know
    texts            the licences in `texts/`, without `.txt`
"""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from build_steps.folders import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

FOLDER = ROOT / "build_steps" / "licenses"

PUBLIC_DOMAIN = "public domain"
"""Has no SPDX expression, and asks for nothing."""

PARTS = {
    "pyodide": "`pyodide.mjs`, `pyodide.asm.mjs`, `pyodide.asm.wasm`, `python_stdlib.zip`",
    "wheels": "the wheels",
    "command": "`command.js`, which pages do not get",
    "pydantic_core": "`pydantic_core.wasm`, which is in the wheel of pydantic_core too",
}
"""What holds the components of each part, as `THIRD-PARTY.md` says it."""


@dataclass(frozen=True, kw_only=True)
class Component:
    """One work of others; the module's text explains the fields."""

    name: str
    license: str
    part: str
    source: str
    texts: list[str]
    version: str = ""
    taken: str = ""
    copyright: list[str] = field(default_factory=list)
    notice_of: str = ""
    note: str = ""


def components() -> list[Component]:
    """Return the components in the order of the list."""
    with (FOLDER / "components.toml").open("rb") as listed:
        tables: list[dict[str, Any]] = tomllib.load(listed)["component"]
    return [Component(**table) for table in tables]


def text_file(name: str) -> Path:
    """Return the file of a licence text."""
    return FOLDER / "texts" / f"{name}.txt"


def package_license() -> str:
    """Return the SPDX expression of the npm package: our licence and all that it takes."""
    terms = {
        term
        for component in components()
        for term in (component.taken or component.license).split(" AND ")
    }
    return " AND ".join(["MIT", *sorted(terms - {"MIT", PUBLIC_DOMAIN})])


def third_party_markdown() -> str:
    """Return the text of `THIRD-PARTY.md`."""
    listed = components()
    parts = [
        f"## In {where}\n\n" + "\n".join(_item(it) for it in listed if it.part == part) + "\n"
        for part, where in PARTS.items()
    ]
    names = sorted({text for component in listed for text in component.texts}, key=str.lower)
    introduction = (FOLDER / "introduction.md").read_text("utf-8")
    return "\n".join([introduction, *parts, "## The texts\n", *_texts(names)])


def _item(component: Component) -> str:
    name = f"{component.name} {component.version}".rstrip().replace("*", r"\*")
    taken = f", taken as {component.taken}" if component.taken else ""
    texts = " and ".join(f"“{text}”" for text in component.texts)
    head = f"- {name}: {component.license}{taken}; text {texts}; [source]({component.source})"
    notice_of = f"The notice is as in {component.notice_of}." if component.notice_of else ""
    lines = (*component.copyright, notice_of, component.note)
    return "\n".join([head, *(f"  - {line}" for line in lines if line)])


def _texts(names: Iterable[str]) -> list[str]:
    return [f"### {name}\n\n```text\n{text_file(name).read_text('utf-8')}```\n" for name in names]


_LICENSE_FILES = ("LICENSE", "LICENSE.md", "LICENSE.txt", "LICENCE", "license", "License")
_NO_TEXT = "The package names its licence and brings no text of it."


def bundled_notices(packages: Iterable[Path]) -> str:
    """Return a section of Markdown with the name, the version and the licence of each npm package.

    A text that several packages share, such as that of one author, stands once.
    """
    by_text: dict[str, list[str]] = {}
    for package in packages:
        facts = json.loads((package / "package.json").read_text("utf-8"))
        name = f"{facts['name']} {facts['version']} ({facts['license']})"
        by_text.setdefault(_license_text(package), []).append(name)
    sections = [
        "### " + ", ".join(names) + f"\n\n```text\n{text}\n```\n" for text, names in by_text.items()
    ]
    return "\n## In the scripts of the playground\n\n" + "\n".join(sections)


def _license_text(package: Path) -> str:
    for name in _LICENSE_FILES:
        if (package / name).is_file():
            return (package / name).read_text("utf-8").strip()
    return _NO_TEXT
