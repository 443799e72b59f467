"""The build starts where there is Python alone, and says at once what it cannot find."""

import os
import re
import shutil
import sys
from pathlib import Path

import pytest

from build_steps import programs, start
from build_steps.failure import BuildFailed
from build_steps.folders import ROOT
from build_steps.testing import browsers
from build_steps.testing.test import run as run_tests
from tests.repo.commands.build_refusals import refusal_of
from tests.support.programs import run, write_program

_STANDARD_IMPORTS = """
import sys
import build
from build_steps import start
from build_steps.testing import browsers
ours = {"build", "build_steps"}
print(sorted({name.partition(".")[0] for name in sys.modules} - ours - sys.stdlib_module_names))
"""


def _bare_path(tmp_path: Path, *names: str) -> str:
    """Return a PATH with these programs of this machine alone."""
    folder = tmp_path / "path"
    folder.mkdir()
    for name in names:
        found = shutil.which(name)
        assert found is not None
        (folder / name).symlink_to(found)
    return str(folder)


def test_what_starts_the_build_imports_nothing_that_python_does_not_bring() -> None:
    done = run(sys.executable, "-S", "-c", _STANDARD_IMPORTS, folder=ROOT)

    assert (done.stderr, done.stdout) == ("", "['__main__']\n")


def test_without_npm_and_browsers_one_line_names_both(tmp_path: Path) -> None:
    bare = {"PATH": _bare_path(tmp_path, "git", "node"), "HOME": str(tmp_path)}
    done = run(sys.executable, "build.py", "test", folder=ROOT, env=bare)

    assert (done.returncode, done.stdout, done.stderr) == (
        1,
        "",
        (
            "npm was not found: install Node.js 20 or newer, which brings npm, and run again. "
            "The tests also need chromium: TREEGLASS_CHROMIUM is not set; "
            "chromium and chromium-browser and google-chrome are not on the PATH; "
            "apt-get is not there.\n"
        ),
    )


def test_an_old_node_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = _bare_path(tmp_path, "git", "npm")
    write_program(Path(path, "node"), "echo v18.19.0\n")
    monkeypatch.setenv("PATH", path)

    assert programs.missing_programs() == [
        "Node.js 18.19.0 is too old: install Node.js 20 or newer and run the command again."
    ]


def test_a_python_that_cannot_install_uv_says_which_package_it_lacks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(start, "CACHE", tmp_path)
    monkeypatch.setattr(start, "find_spec", lambda _name: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("UV", raising=False)

    with pytest.raises(BuildFailed, match=r"\(on Debian and Ubuntu the package python3-venv\)"):
        start.find_or_install_uv()


def test_what_the_build_runs_finds_the_same_uv(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "own").mkdir()
    telling = f'[ "$1" = python ] || echo "$@ $PATH" > {tmp_path}/told\n'
    uv = write_program(tmp_path / "own" / "uv", telling)
    monkeypatch.setattr(start, "find_or_install_uv", lambda: str(uv))
    monkeypatch.setenv("PATH", f"/first{os.pathsep}/second")

    code = start.run_again(["clean"])

    assert (code, (tmp_path / "told").read_text("utf-8")) == (
        0,
        f"run {ROOT / 'build.py'} clean /first:/second:{uv.parent}\n",
    )


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have other names for locales")
@pytest.mark.parametrize("chosen", [{"LC_ALL": "C"}, {"LC_ALL": "C.UTF-8"}])
def test_the_build_runs_with_utf_8(tmp_path: Path, chosen: dict[str, str]) -> None:
    uv = write_program(tmp_path / "uv", '[ "$1" != run ] || echo "$LC_ALL"\n')

    starting = "from build_steps import start; start.run_again([])"
    env = {"PATH": os.defpath, "HOME": str(tmp_path), "UV": str(uv), **chosen}
    done = run(sys.executable, "-c", starting, folder=ROOT, env=env)

    assert (done.returncode, done.stdout, done.stderr) == (0, "C.UTF-8\n", "")


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        ([], ("chromium",)),
        (["-k", "mount"], ("chromium",)),
        (["tests/unit/tools", "tests/scale"], ()),
        (["tests/unit", "tests/browser"], ("chromium",)),
        (["--all"], ("chromium", "firefox")),
    ],
)
def test_only_the_browsers_of_the_chosen_tests_are_asked_for(
    arguments: list[str], wanted: tuple[str, ...]
) -> None:
    assert browsers.browsers_of(arguments) == wanted


def test_the_folders_without_browsers_open_none() -> None:
    modules = [file for name in browsers.WITHOUT_BROWSERS for file in (ROOT / name).rglob("*.py")]

    opening = [file.name for file in modules if "browser_support" in file.read_text("utf-8")]
    assert (len(modules) > 50, opening) == (True, [])


def test_browsers_are_looked_for_before_the_build(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(wanted: tuple[str, ...]) -> None:
        raise BuildFailed(f"no {wanted}")

    monkeypatch.setattr("build_steps.testing.test.make_sure_of_browsers", refuse)
    monkeypatch.setattr("build_steps.testing.test.make_dist", lambda **_: pytest.fail("built"))

    with pytest.raises(BuildFailed, match=r"^no \('chromium',\)$"):
        run_tests([])


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that is the whole PATH, on a machine without browsers."""
    monkeypatch.setenv("PATH", str(tmp_path))
    # Set, so that it is restored: an empty one names nothing.
    monkeypatch.setenv(browsers.VARIABLE, "")
    monkeypatch.setattr(browsers, "_playwrights_own", lambda _name: tmp_path / "absent")
    monkeypatch.setattr(browsers, "runs_as_root", lambda: True)
    return tmp_path


def _refuse(*_arguments: object, otherwise: str = "npm failed.", **_options: object) -> Path:
    raise BuildFailed(f"{otherwise} It printed 'no network'; the rest is in a log.")


def test_one_sentence_names_all_that_was_tried(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browsers, "run_quietly", _refuse)
    monkeypatch.setattr(browsers, "install_npm_chromium", _refuse)

    refusal = refusal_of(browsers.make_sure_of_browsers, ["chromium"])

    assert not list(bare.iterdir())
    assert refusal == (
        "The tests need chromium, which could be neither found nor installed: "
        "TREEGLASS_CHROMIUM is not set; "
        "chromium and chromium-browser and google-chrome are not on the PATH; "
        "Playwright has not installed its own; apt-get is not there; "
        "Playwright could not fetch one: it printed 'no network'; the rest is in a log; "
        "npm failed: it printed 'no network'; the rest is in a log. "
        "Put it on the PATH, and run again."
    )


def test_the_browser_of_npm_is_named_to_the_tests(
    bare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(browsers, "run_quietly", _refuse)
    monkeypatch.setattr(browsers, "install_npm_chromium", lambda: bare / "launch")

    browsers.make_sure_of_browsers(["chromium"])

    assert os.environ[browsers.VARIABLE] == str(bare / "launch")


def test_what_apt_get_may_install_is_not_called_missing(
    bare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_program(bare / "apt-get")

    as_root = browsers.missing_browsers([])
    monkeypatch.setattr(browsers, "runs_as_root", lambda: False)

    assert (as_root, browsers.missing_browsers([])) == (
        [],
        [
            (
                "The tests also need chromium: TREEGLASS_CHROMIUM is not set; "
                "chromium and chromium-browser and google-chrome are not on the PATH; "
                "apt-get works for root alone, which this user may not become without a password."
            )
        ],
    )


def test_apt_get_installs_a_browser_before_playwright_is_asked(
    bare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def apt_get(command: list[str]) -> bool:
        asked.append(" ".join(command))
        if command[-1] == "chromium":
            write_program(bare / "chromium")
        return True

    write_program(bare / "apt-get")
    monkeypatch.setattr(browsers, "_succeeds", apt_get)

    browsers.make_sure_of_browsers(["chromium"])

    quiet = "env DEBIAN_FRONTEND=noninteractive apt-get"
    assert asked == [
        f"{quiet} update --quiet=2",
        f"{quiet} install --quiet=2 --yes --no-install-recommends chromium",
    ]


def test_the_commands_of_the_readme_are_the_two_that_a_fresh_machine_needs(root: Path) -> None:
    readme = (root / "README.md").read_text("utf-8")

    assert re.findall(r"^(\S+ build\.py \w+)", readme, re.MULTILINE) == [
        "python build.py serve",
        "python build.py test",
    ]
