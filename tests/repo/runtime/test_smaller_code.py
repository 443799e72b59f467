"""The steps that make a start smaller can be skipped, and need a profile of what they split."""

import json
from pathlib import Path

import pytest

from build_steps.runtime import smaller
from build_steps.runtime.assets import STANDARD_LIBRARY
from build_steps.runtime.bytecode import PYODIDE
from build_steps.runtime.smaller import bodies, split
from build_steps.runtime.smaller.trimmed import CODE
from tests.browser.packed_trees import zip_of
from tests.repo.commands.build_refusals import refusal_of


def test_a_profile_of_another_module_names_the_command_that_makes_it_anew(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    profile = json.loads(split.PROFILE.read_text("utf-8"))
    profile[CODE]["sha256"] = "0" * 64
    stale = tmp_path / "profile.json"
    stale.write_text(json.dumps(profile), "utf-8")
    monkeypatch.setattr(split, "PROFILE", stale)

    assert refusal_of(split.write_split, tmp_path) == (
        "The profile of pyodide.asm.wasm is that of another build of it: "
        "run `python build.py profile`, and commit profile.json."
    )


def test_a_profile_of_other_archives_names_the_command_that_makes_it_anew(tmp_path: Path) -> None:
    other = tmp_path / STANDARD_LIBRARY
    other.write_bytes(b"another build of it")

    assert refusal_of(bodies.warm_functions, [other]) == (
        "The profile of Python's functions is that of other archives: "
        "run `python build.py profile`, and commit bodies.json."
    )


def test_a_profile_of_other_archives_gives_the_functions_that_these_still_have(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    text = "def f():\n    return lambda: 1\n\nclass C:\n    @property\n    def f(self): ...\n"
    old, new = tmp_path / "old.whl", tmp_path / "new.whl"
    old.write_bytes(zip_of({"a.py": text, "b.py": text, "gone.py": text}))
    new.write_bytes(zip_of({"a.py": text, "b.py": f"\n{text}", "later.py": "x = ="}))
    monkeypatch.setattr(bodies, "PROFILE", tmp_path / "bodies.json")
    names = ("<module>:1", "f:1", "f.<locals>.<lambda>:2", "C:4", "C.f:5")
    every = {f"{file}.py {name}" for file in ("a", "b", "gone") for name in names}
    calls = {"a.py f:1", "a.py g:1", "later.py f:1"}
    bodies.write_profile([old], every - calls, calls)

    assert bodies.read_profile([old]) == (every - calls, calls)
    assert bodies.read_profile([new]) == (
        {*(f"a.py {name}" for name in names if name != "f:1"), "b.py <module>:1"},
        {"a.py f:1"},
    )


def test_a_profile_that_is_written_is_read_as_it_was(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    written = tmp_path / "profile.json"
    monkeypatch.setattr(split, "PROFILE", written)

    split.write_profile({CODE: (PYODIDE / CODE, {5, 1, 2, 3, 9})})

    assert json.loads(written.read_text("utf-8"))[CODE]["functions"] == ["1-3 5 9"]


def test_the_documentation_explains_every_step(root: Path) -> None:
    page = (root / "docs" / "smaller-start.md").read_text("utf-8")

    assert [name for name in smaller.STEPS if f"## {name.capitalize()}: " not in page] == []
