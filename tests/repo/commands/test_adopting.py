"""Another version of Pyodide or pydantic: what is written for it, and what is refused."""

import subprocess
from pathlib import Path

import pytest

from build_steps.adopting import adopt
from build_steps.adopting.adopt import LIST, with_versions
from build_steps.failure import BuildFailed
from build_steps.folders import ROOT, WEB
from build_steps.runtime.smaller import bodies, split
from build_steps.wheels.pinned_wheels import REQUIREMENTS, Tags, check_tags, interpreter_tags
from tests.repo.commands.build_refusals import refusal_of

_ALPHA = Tags("315.0.0-alpha.2", "3.15", "cp315", "pyemscripten_2027_0_wasm32")

_TABLES = """\
[[component]]
name = "CPython"
version = "3.14.2"
part = "pyodide"
source = "https://github.com/python/cpython/tree/v3.14.2"

[[component]]
name = "Software that CPython incorporates"
version = "3.14.2"
part = "pyodide"
source = "https://github.com/python/cpython/tree/v3.14.2"

[[component]]
name = "mimalloc"
part = "pyodide"
source = "https://github.com/python/cpython/tree/v3.14.2/Objects/mimalloc"

[[component]]
name = "expat"
version = "2.7.3"
part = "pyodide"
source = "https://github.com/python/cpython/tree/v3.14.2/Modules/expat"

[[component]]
name = "pydantic"
version = "2.14.3"
part = "wheels"
source = "https://github.com/pydantic/pydantic/tree/v2.14.3"

[[component]]
name = "pydantic_core"
version = "2.50.4"
part = "wheels"
source = "https://github.com/pydantic/pydantic/tree/v2.14.3/pydantic-core"
"""

_PINNED = {
    ("pyodide", "CPython"): "3.14.2",
    ("pyodide", "expat"): "2.7.3",
    ("wheels", "pydantic"): "2.14.3",
    ("wheels", "pydantic_core"): "2.50.4",
}

_OTHERS = {
    ("pyodide", "CPython"): "3.14.5",
    ("pyodide", "expat"): "2.8.0",
    ("pyodide", "not in the list"): "1.0",
    ("wheels", "pydantic"): "2.14.4",
    ("wheels", "pydantic_core"): "2.50.5",
}


def test_each_version_changes_in_its_table_and_in_the_addresses_of_sources() -> None:
    changed = with_versions(_TABLES, _OTHERS)

    expected = _TABLES
    for key, pinned in _PINNED.items():
        expected = expected.replace(pinned, _OTHERS[key])
    assert changed == expected


def test_versions_there_and_back_leave_the_list_as_it_was() -> None:
    assert with_versions(with_versions(_TABLES, _OTHERS), _PINNED) == _TABLES


def test_the_versions_that_are_listed_change_nothing() -> None:
    text = LIST.read_text("utf-8")

    assert with_versions(text, {("wheels", "pydantic"): _version_in(text, "pydantic")}) == text


def _version_in(text: str, name: str) -> str:
    return text.partition(f'name = "{name}"\nversion = "')[2].partition('"')[0]


def test_a_wheel_for_another_interpreter_is_refused() -> None:
    wheel = "pydantic_core-2.50.4-cp314-cp314-pyemscripten_2026_0_wasm32.whl"

    assert refusal_of(check_tags, wheel, _ALPHA) == (
        f"{wheel} is for another interpreter: Pyodide 315.0.0-alpha.2 needs the tags cp315 and "
        "pyemscripten_2027_0_wasm32. Pin a wheel for it, by "
        "`python build.py adopt pydantic VERSION`."
    )


def test_a_wheel_for_this_interpreter_and_a_pure_one_are_taken() -> None:
    tags = interpreter_tags()

    check_tags(f"pydantic_core-2.50.4-{tags.abi}-{tags.abi}-{tags.platform}.whl", tags)
    check_tags("typing_inspection-0.4.5-py3-none-any.whl", tags)


@pytest.mark.parametrize("package", adopt.PACKAGES)
def test_a_step_that_fails_is_named(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(version: str) -> None:
        raise BuildFailed(f"{version} is unknown.")

    monkeypatch.setattr(adopt, f"_pin_{package}", refuse)

    assert refusal_of(adopt.run, package, "9.9.9") == (
        f"{package} 9.9.9 is not adopted: the step `pins` failed. 9.9.9 is unknown."
    )


@pytest.mark.parametrize(("pinned", "kept"), [("1.0", "committed"), ("2.0", "made")])
def test_the_versions_of_the_commit_get_its_profiles_back(
    pinned: str, kept: str, tmp_path: Path
) -> None:
    named = (REQUIREMENTS, split.PROFILE, bodies.PROFILE, WEB / "package-lock.json")
    pins, profile, *others = (tmp_path / file.relative_to(ROOT) for file in named)
    for file in (pins, profile, *others):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("committed", "utf-8")
    pins.write_text("1.0", "utf-8")
    identity = ("-c", "user.name=a", "-c", "user.email=a@localhost")
    for command in ("init --quiet", "add .", "commit --quiet --message=pin"):
        subprocess.run(["git", *identity, *command.split()], cwd=tmp_path, check=True)  # noqa: S607
    profile.write_text("made", "utf-8")
    pins.write_text(pinned, "utf-8")

    adopt.take_committed_profiles(tmp_path)

    assert profile.read_text("utf-8") == kept
