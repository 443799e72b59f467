"""`adopt`: pins another version of Pyodide or of pydantic, and makes what follows from it."""

from __future__ import annotations

import json
import re
import tomllib
from typing import TYPE_CHECKING

from packaging.requirements import Requirement

from build_steps.failure import BuildFailed
from build_steps.folders import ROOT, WEB
from build_steps.freshness import sha256_of
from build_steps.licenses.shipped_versions import ask_interpreter, sbom_components, wheel_metadata
from build_steps.licenses.third_party import FOLDER
from build_steps.programs import exit_code, find_program, run_quietly
from build_steps.runtime.bytecode import PYODIDE
from build_steps.runtime.smaller import bodies, split
from build_steps.testing import profile, test
from build_steps.web.packages import install_web_packages
from build_steps.wheels.pinned_wheels import (
    REQUIREMENTS,
    download_wheels,
    metadata_of,
    runtime_wheels,
    target_of_pip,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

PACKAGES = ("pyodide", "pydantic")
"""What can be adopted; pydantic brings the version of pydantic_core that it needs."""

_PYPROJECT = ROOT / "pyproject.toml"
_TUTORIAL = ROOT / "docs" / "start" / "python.md"
_HOSTING = ROOT / "docs" / "hosting.md"
_EMPTY_LOCK = WEB / "src" / "worker" / "start" / "from-image.ts"


def run(package: str, version: str) -> int:
    """Pin a version everywhere, make the profiles for it, and run the fast tests.

    Raises:
        BuildFailed: A step failed; the message names it. What the steps before it have changed
            stays, and the same command goes on from there.
    """
    pin = {"pyodide": _pin_pyodide, "pydantic": _pin_pydantic}[package]
    steps: dict[str, Callable[[], int | None]] = {
        "pins": lambda: pin(version),
        "components": _list_components,
        "profile": _profile,
        "test": lambda: test.run([]),
    }
    for name, step in steps.items():
        print(f"\nadopt {package} {version}: {name}", flush=True)
        try:
            failed = step()
        except BuildFailed as failure:
            raise BuildFailed(_left(package, version, name, str(failure))) from failure
        if failed:
            raise BuildFailed(_left(package, version, name, "Correct what is said above."))
    print(f"{package} {version} is adopted: every step passed. Commit what has changed.")
    return 0


def _left(package: str, version: str, step: str, why: str) -> str:
    return f"{package} {version} is not adopted: the step `{step}` failed. {why}"


def _pin_pyodide(version: str) -> None:
    run_quietly(
        [
            *(find_program("npm"), "install", "--package-lock-only", "--ignore-scripts"),
            *("--no-audit", "--no-fund", "--save-dev", f"pyodide@{version}"),
        ],
        folder=WEB,
        log_name="npm-install-pyodide",
        otherwise=f"npm could not pin pyodide {version}: check the version and the network.",
    )
    install_web_packages()
    _rewrite(_TUTORIAL, r"(?<=/pyodide/v)[^/]+(?=/full/)", version)
    lock = json.loads((PYODIDE / "pyodide-lock.json").read_text(encoding="utf-8"))
    entries = ", ".join(f'{key}: "{lock["info"][key]}"' for key in sorted(lock["info"]))
    _rewrite(_EMPTY_LOCK, r"(?<=  info: \{ )[^}]+(?= \},)", entries)


def _pin_pydantic(version: str) -> None:
    install_web_packages()
    pydantic = _download("pydantic", f"=={version}")
    (core,) = (
        one
        for one in map(Requirement, metadata_of(pydantic).get_all("Requires-Dist", []))
        if one.name.replace("_", "-") == "pydantic-core" and one.marker is None
    )
    core_wheel = _download("pydantic-core", str(core.specifier))
    wheels = {"pydantic": pydantic, "pydantic-core": core_wheel}
    for package, wheel in wheels.items():
        pinned = wheel.name.split("-")[1]
        _rewrite(
            REQUIREMENTS,
            rf"(?<=^{package}==)\S+( \\\n +--hash=sha256:)[0-9a-f]{{64}}",
            rf"{pinned}\g<1>{sha256_of(wheel)}",
        )
        _rewrite(_PYPROJECT, rf'(?<="{package}==)[^"]+', pinned)
        _rewrite(_HOSTING, rf"(?<=`){package.replace('-', '_')}-[^`]+\.whl(?=`)", wheel.name)
    run_quietly(
        [find_program("uv"), "lock"],
        log_name="uv-lock",
        otherwise="uv could not lock these versions: check the network connection.",
    )


def _download(package: str, specifier: str) -> Path:
    fetched = download_wheels(
        f"adopted {package}",
        *(*target_of_pip(), f"{package}{specifier}"),
        otherwise=f"pip found no wheel of {package}{specifier} for the pinned Pyodide: "
        "check the version and the network connection.",
    )
    (wheel,) = fetched.iterdir()
    return wheel


def _list_components() -> None:
    wheels = runtime_wheels()
    told = {
        **{("pyodide", name): version for name, version in ask_interpreter().versions.items()},
        **{("wheels", it.name): it.version for it in wheel_metadata(wheels)},
        **{("pydantic_core", it.name): it.version for it in sbom_components(wheels)},
    }
    text = LIST.read_text(encoding="utf-8")
    LIST.write_text(with_versions(text, told), encoding="utf-8", newline="\n")


def _profile() -> int:
    """Make the profiles; on the way back to the versions of the commit, go on from its profiles.

    What depends on time does not run each time, so profiles of another version lack some of it.
    """
    take_committed_profiles(ROOT)
    return profile.run()


def take_committed_profiles(root: Path) -> None:
    """Put the profiles of the last commit back if it pins the same versions."""
    git = find_program("git")
    pins = [file.relative_to(ROOT) for file in (REQUIREMENTS, WEB / "package-lock.json")]
    profiles = [file.relative_to(ROOT) for file in (split.PROFILE, bodies.PROFILE)]
    if exit_code([git, "diff", "--quiet", "HEAD", "--", *pins], folder=root) == 0:
        exit_code([git, "checkout", "--quiet", "HEAD", "--", *profiles], folder=root)


def _rewrite(file: Path, pattern: str, replacement: str) -> None:
    """Replace what a pattern finds; the file must have it once."""
    text = file.read_text(encoding="utf-8")
    changed, times = re.subn(pattern, replacement, text, flags=re.MULTILINE)
    if times != 1:
        name = file.relative_to(ROOT).as_posix()
        raise BuildFailed(f"{name} names the version {times} times, and not once: change {name}.")
    file.write_text(changed, encoding="utf-8", newline="\n")


LIST = FOLDER / "components.toml"

_TABLE = "[[component]]\n"

_OF_ANOTHER = {"pydantic_core": "pydantic"}
"""A component whose sources are in the repository of another one, under that one's version."""


def with_versions(text: str, versions: Mapping[tuple[str, str], str]) -> str:
    """Return the list with other versions, in the tables and in the addresses of their sources.

    Versions are by the part and the name of a component; what is not in the list is left out.
    """
    head, *tables = text.split(_TABLE)
    listed = {
        (it["part"], it["name"]): it["version"]
        for it in tomllib.loads(text)["component"]
        if "version" in it
    }
    changed = {key: (listed[key], new) for key, new in versions.items() if key in listed}
    # Most of what CPython and Emscripten contain has the address of a folder in their sources.
    trees = {
        f"/{repository}/tree/{prefix}{old}": f"/{repository}/tree/{prefix}{new}"
        for name, repository, prefix in (
            ("CPython", "python/cpython", "v"),
            ("Emscripten", "emscripten-core/emscripten", ""),
        )
        for old, new in [changed.get(("pyodide", name), ("", ""))]
    }
    return _TABLE.join([head, *(_changed(table, changed, trees) for table in tables)])


def _changed(
    table: str, changed: Mapping[tuple[str, str], tuple[str, str]], trees: Mapping[str, str]
) -> str:
    (it,) = tomllib.loads(_TABLE + table)["component"]
    part, name, version = it["part"], it["name"], it.get("version")
    # What has no version of its own has that of CPython.
    cpython = changed.get(("pyodide", "CPython"))
    pair = changed.get((part, name))
    if pair is None and part == "pyodide" and cpython is not None and version == cpython[0]:
        pair = cpython
    if pair is not None:
        table = table.replace(f'\nversion = "{pair[0]}"', f'\nversion = "{pair[1]}"')
    source = it["source"]
    found = next((tree for tree in trees if f"{tree}/" in f"{source}/"), None)
    old, new = changed.get((part, _OF_ANOTHER.get(name, name)), ("", ""))
    if found is not None:
        address = source.replace(found, trees[found])
    else:
        address = re.sub(rf"(?<=[/v@-]){re.escape(old)}(?=/|$)", new, source) if old else source
    return table.replace(f'source = "{source}"', f'source = "{address}"')
