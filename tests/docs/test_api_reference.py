"""Every public name of Python and of JavaScript stands in the reference."""

import importlib
import re
from pathlib import Path

import pytest
from pydantic import BaseModel

import treeglass
import treeglass.authoring
from build_steps.site.javascript_reference import module_page, public_modules
from tests.docs.site_pages import Page

_DECLARED = re.compile(
    r"^export (?:declare |abstract |async )*"
    r"(?P<kind>class|const|function|interface|type) (?P<name>\w+)",
    re.MULTILINE,
)
_PASSED_ON = re.compile(r"^export (?:type )?\{(?P<names>[^}]*)\}", re.MULTILINE)
_ALL_OF = re.compile(r'^export \* from "(?P<path>[^"]+)"', re.MULTILINE)


_KINDS = {"classes", "functions", "interfaces", "type-aliases", "variables"}
"""The folders of a module that hold the pages of its exports."""


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
    names = _defined("treeglass.config") | _defined("treeglass.config_tables")
    return {
        name
        for name in names - {"treeglass.config_tables.Table"}
        if isinstance(value := values.get(name.rpartition(".")[2]), type)
        and issubclass(value, BaseModel)
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
def test_every_public_name_of_a_javascript_module_has_a_page_that_its_module_lists(
    module: str, reference: Path
) -> None:
    source = public_modules()[module]
    page = (reference / "javascript" / module_page(source)).with_suffix(".html")
    listed = {(page.parent / link.address).resolve() for link in Page(page).links}
    exports = [Page(path) for path in sorted(listed) if path.parent.name in _KINDS]

    titles = [found.texts_by_element["h1"][0] for found in exports]
    assert {re.split(r"\W", title)[0] for title in titles} == _exported(source)


def test_the_page_of_the_client_lists_connect_and_the_client_first(reference: Path) -> None:
    page = Page(reference / "javascript" / "index" / "index.html")

    links = [link.address for link in page.links if re.match(r"(functions|classes)/", link.address)]
    assert links[:2] == ["functions/connect.html", "classes/TreeglassClient.html"]
