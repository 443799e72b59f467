"""Modules are left out of the assets only if nothing that runs there can import them."""

import json
import shutil
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import pytest

from build_steps.programs import find_program
from build_steps.runtime.assets import LOCK_NAME, SHIPPED_LIBRARY, STANDARD_LIBRARY
from build_steps.runtime.bytecode import PYODIDE
from build_steps.runtime.inside_pyodide.reachable_modules import (
    NEVER_ENTERED,
    Module,
    reachable_modules,
)
from build_steps.runtime.smaller.trimmed import ENGINE_FILES, ENGINE_FOLDER
from build_steps.wheels.pinned_wheels import runtime_wheels
from tests.support.programs import printed_by

_SCRIPT = Path(__file__).with_name("import_modules.mjs")


def _modules(sources: Mapping[str, str]) -> dict[str, Module]:
    """Return modules by name; a name that ends in a dot is a package's."""
    return {
        name.removesuffix("."): Module(source.encode(), is_package=name.endswith("."))
        for name, source in sources.items()
    }


@pytest.mark.parametrize(
    ("source", "reached"),
    [
        pytest.param("import other.deep", {"other", "other.deep"}, id="with the parents"),
        pytest.param("def f():\n    import other", {"other"}, id="in a function"),
        pytest.param("if 0:\n    import other", {"other"}, id="under a condition"),
        pytest.param("from other import deep", {"other", "other.deep"}, id="a module's attribute"),
        pytest.param("from . import near", {"app.near"}, id="from its own package"),
        pytest.param("from .near import x", {"app.near"}, id="from a module beside it"),
        pytest.param("import absent, json.absent", set(), id="what is not given"),
        pytest.param("import doctest", set(), id="what is never entered"),
        pytest.param("import pydantic.v1.main", {"pydantic"}, id="what lies below that"),
        pytest.param("import broken", {"broken"}, id="what does not compile"),
        pytest.param('late = [".near"]', set(), id="no string"),
        pytest.param(
            'late = [".near"]\ndef __getattr__(name): ...',
            {"app.near"},
            id="a string, of late imports",
        ),
    ],
)
def test_a_module_is_reached_by_every_import_statement(source: str, reached: set[str]) -> None:
    modules = _modules(
        {
            "app.": source,
            "app.near": "",
            "other.": "",
            "other.deep": "",
            "other.deeper": "",
            "broken": "import (",
            "doctest": "import other",
            "pydantic.": "",
            "pydantic.v1.": "",
            "pydantic.v1.main": "",
        }
    )

    assert reachable_modules(modules, ["app"]) == {"app", *reached}


def test_an_entrance_may_stand_for_all_that_lies_below_it() -> None:
    modules = _modules({"a.": "", "a.b.": "", "a.b.c": "", "ab": "", "d": ""})

    assert reachable_modules(modules, ["a.*"]) == {"a", "a.b", "a.b.c"}


def _names(archives: Iterable[Path]) -> set[str]:
    names = set()
    for archive in archives:
        with zipfile.ZipFile(archive) as opened:
            paths = [PurePosixPath(name) for name in opened.namelist()]
        for path in paths:
            if path.suffix in {".py", ".pyc"}:
                is_package = path.stem == "__init__"
                parts = path.parent.parts if is_package else path.with_suffix("").parts
                names.add(".".join(parts))
    return names


class _Library(NamedTuple):
    """Archives, and what Pyodide makes of the modules that were kept."""

    modules: set[str]
    outcomes: dict[str, str | None]
    """The error of importing each one; None without an error."""
    imports: dict[str, list[str]]
    """Every name that the bytecode of each one imports."""


def _look_at(pyodide: Path, wheels: list[Path], names: set[str]) -> _Library:
    looking = (find_program("node"), _SCRIPT, pyodide, PYODIDE / LOCK_NAME)
    told = json.loads(printed_by(*looking, *wheels, given=json.dumps(sorted(names))))
    archives = [pyodide / STANDARD_LIBRARY, *wheels]
    return _Library(_names(archives), told["outcomes"], told["imports"])


@pytest.fixture(scope="module")
def kept(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> _Library:
    """The modules in the assets, beside code that Pyodide's own loader can use."""
    assets = dist / "npm" / "assets"
    (shipped,) = assets.rglob(SHIPPED_LIBRARY)
    pyodide = tmp_path_factory.mktemp("pyodide")
    library = shutil.copyfile(shipped, pyodide / STANDARD_LIBRARY)
    for name in ENGINE_FILES:
        shutil.copyfile(ENGINE_FOLDER / "pyodide" / name, pyodide / name)
    wheels = sorted(assets.rglob("*.whl"))
    return _look_at(pyodide, wheels, _names([library, *wheels]))


@pytest.fixture(scope="module")
def whole(dist: Path, kept: _Library) -> _Library:
    """The published modules; the assets hold a part of them."""
    return _look_at(PYODIDE, [*(dist / "wheels").iterdir(), *runtime_wheels()], kept.modules)


@pytest.mark.rebuild
def test_each_module_is_imported_as_if_none_were_left_out(kept: _Library, whole: _Library) -> None:
    assert kept.outcomes == whole.outcomes


@pytest.mark.rebuild
def test_each_module_imports_what_it_would_if_none_were_left_out(
    kept: _Library, whole: _Library
) -> None:
    assert kept.imports == whole.imports


@pytest.mark.rebuild
def test_no_import_meets_a_module_that_was_left_out_but_those_that_are_never_run(
    kept: _Library, whole: _Library
) -> None:
    imported = {name for names in kept.imports.values() for name in names}
    missed = imported & (whole.modules - kept.modules)

    # Only a notebook calls the methods that import what it shows.
    assert {_never_entered(name) for name in missed} == {
        "treeglass.rich_display",
        *(name for name in NEVER_ENTERED if not name.startswith("treeglass.")),
    }


def _never_entered(name: str) -> str:
    """Return the entry of the list that covers a module, or the module itself."""
    covering = [entry for entry in NEVER_ENTERED if f"{name}.".startswith(f"{entry}.")]
    return covering[0] if covering else name


@pytest.mark.rebuild
def test_each_module_that_is_never_entered_was_published(whole: _Library) -> None:
    assert set(NEVER_ENTERED) - whole.modules == set()
