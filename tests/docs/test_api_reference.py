"""Every public name of Python and of JavaScript stands in the reference."""

from __future__ import annotations

import importlib
import re
from typing import TYPE_CHECKING

import pytest
from pydantic import BaseModel

import treeglass
import treeglass.authoring
from build_steps.folders import WEB
from build_steps.site.documentation import public_modules
from tests.docs.site_pages import Page

if TYPE_CHECKING:
    from pathlib import Path

_DECLARED = re.compile(
    r"^export (?:declare |abstract |async )*"
    r"(?P<kind>class|const|function|interface|type) (?P<name>\w+)",
    re.MULTILINE,
)
_PASSED_ON = re.compile(r"^export (?:type )?\{(?P<names>[^}]*)\}", re.MULTILINE)
_ALL_OF = re.compile(r'^export \* from "(?P<path>[^"]+)"', re.MULTILINE)


@pytest.fixture(scope="module")
def reference(dist: Path) -> Path:
    """The folder with the pages of the reference."""
    return dist / "site" / "docs" / "reference"


def _defined(module_name: str) -> set[str]:
    module = importlib.import_module(module_name)
    return {
        f"{module_name}.{name}"
        for name, value in vars(module).items()
        if not name.startswith("_") and getattr(value, "__module__", "") == module_name
    }


def _tables() -> set[str]:
    values = vars(importlib.import_module("treeglass.config"))
    return {
        name
        for name in _defined("treeglass.config") - {"treeglass.config.Table"}
        if isinstance(values[name.rpartition(".")[2]], type)
        and issubclass(values[name.rpartition(".")[2]], BaseModel)
    }


def _exported_as(name: str) -> str:
    # A name that the package exports is documented in the module that defines it.
    aliased = {f"treeglass.errors.{alias}": f"treeglass.{alias}" for alias in treeglass.__all__}
    return aliased.get(name, name)


def test_every_public_name_of_python_is_there(reference: Path) -> None:
    wanted = {
        *(f"treeglass.{name}" for name in treeglass.__all__),
        *(_tables() - {"treeglass.config.Config"}),
        *(_exported_as(name) for name in _defined("treeglass.errors")),
        *_defined("treeglass.pack"),
        *(f"treeglass.authoring.{name}" for name in treeglass.authoring.__all__),
    }

    shown = {_exported_as(anchor) for anchor in Page(reference / "python.html").anchors}
    assert wanted - shown == set()


def _exported(source: Path) -> set[str]:
    text = source.read_text("utf-8")
    declared = {found["name"] for found in _DECLARED.finditer(text)}
    lists = [found["names"] for found in _PASSED_ON.finditer(text)]
    names = [name.split()[-1] for names in lists for name in names.split(",") if name.strip()]
    others = [
        _exported((source.parent / found["path"]).resolve()) for found in _ALL_OF.finditer(text)
    ]
    return declared.union(names, *others)


@pytest.mark.parametrize("module", public_modules())
def test_every_public_name_of_a_javascript_module_is_there(module: str, reference: Path) -> None:
    source = public_modules()[module]
    page = (reference / "javascript" / source.relative_to(WEB / "src")).with_suffix(".html")

    headings = {text.partition("()")[0].strip("¶\n ") for text in Page(page).texts_by_element["h3"]}
    assert headings == _exported(source)
