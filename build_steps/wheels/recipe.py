"""The recipe from which Pyodide's distribution can build our package.

It is made, not written: it names the wheel by its hash.
"""

from __future__ import annotations

import tomllib
from typing import Any

from packaging.requirements import Requirement

from build_steps.folders import DIST, ROOT
from build_steps.freshness import (
    empty_staging_folder,
    put_in_place,
    remake_when_stale,
    sha256_of,
)
from build_steps.wheels.wheel import wheel_path

RECIPES = DIST / "pyodide-recipe"
"""A folder like `packages/` of Pyodide's recipes, with ours alone."""

_PYPROJECT = ROOT / "pyproject.toml"
_NEVER_WRAP = 1000

_FILES = "https://files.pythonhosted.org/packages/py3"
"""Where PyPI has the pure wheels of any project, by the first letter of its name."""

_IMPORTS = ["treeglass", "treeglass.bridge"]


def make_recipe() -> None:
    """Bring `dist/pyodide-recipe/treeglass/meta.yaml` up to date.

    Its address is the one that the wheel has on PyPI after the release.
    """
    remake_when_stale(
        "Pyodide recipe",
        inputs=[_PYPROJECT, wheel_path()],
        outputs=[RECIPES],
        make=_make,
    )


def _make() -> None:
    # Not at the top: this import takes longer than all those of a build with nothing to do.
    from ruamel.yaml import YAML  # noqa: PLC0415

    staging = empty_staging_folder("pyodide-recipe")
    project: dict[str, Any] = tomllib.loads(_PYPROJECT.read_text("utf-8"))["project"]
    name, version, wheel = project["name"], project["version"], wheel_path()
    recipe = {
        "package": {"name": name, "version": version, "top-level": [name]},
        "source": {
            "url": f"{_FILES}/{name[0]}/{name}/{wheel.name}",
            "sha256": sha256_of(wheel),
        },
        "requirements": {"run": [Requirement(one).name for one in project["dependencies"]]},
        "test": {"imports": _IMPORTS},
        "about": {
            "summary": project["description"],
            "license": project["license"],
        },
    }
    yaml = YAML()
    yaml.width = _NEVER_WRAP
    (staging / name).mkdir()
    yaml.dump(recipe, staging / name / "meta.yaml")
    put_in_place(staging, RECIPES)
