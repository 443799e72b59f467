"""Blocks of shell commands, run line by line; comments and a leading `$ ` are taken off.

- What installs this package must name one that there is, and is not run: it is installed.
- `python build.py ...` must be words that the build takes, and is not run from here, since two
  of its commands run these tests; what these hand on are paths of the repository.
- `npx treeglass` runs the command of the built package.
- Every other line runs by the shell, must exit with 0, and says nothing on stderr; `treeglass`
  itself says something on stdout.
- A block in which lines begin with `$ ` shows what they print between them.
"""

import os
import re
import shlex
import shutil
import sys
import tomllib
from itertools import takewhile
from pathlib import Path

from build_steps import commands
from build_steps.folders import NPM, ROOT
from build_steps.npm.npm_package import package_manifest
from build_steps.programs import find_program
from tests.support.programs import install_package, run

_PASSED_THROUGH = {"bench", "test"}


def run_shell(text: str, folder: Path) -> list[str]:
    """Run a block and return its faults."""
    shows_output = text.startswith("$ ")
    lines = text.replace("\\\n", "").splitlines()
    faults: list[str] = []
    for number, line in enumerate(lines, start=1):
        if shows_output and not line.startswith("$ "):
            continue
        printed, found = _run_line(line.removeprefix("$ "), folder)
        shown = [*takewhile(lambda line: not line.startswith("$ "), lines[number:])]
        is_wrong = shows_output and printed.splitlines() != shown
        faults += [*found, f"{line!r} prints {printed!r}"] if is_wrong else found
    return faults


def _run_line(line: str, folder: Path) -> tuple[str, list[str]]:
    match shlex.split(line, comments=True):
        case []:
            return "", []
        case ["python", "build.py", *words]:
            return "", _faults_of_build(words)
        case ["npm", "install", *words] | ["npm", "i", *words]:
            install_package(folder)
            names = [word.removesuffix("@latest") for word in words]
            return "", [] if names == [package_manifest()["name"]] else [f"{words} is not ours"]
        case ["npx", "treeglass", *words]:
            install_package(folder)
            return _run_program([find_program("node"), str(NPM / "command.js"), *words], folder)
        case ["pip", "install", *words] | ["uv", "add", *words] | ["uv", "pip", "install", *words]:
            return "", _faults_of_requirements(words)
    printed, faults = _run_program([shutil.which("sh") or "sh", "-c", line], folder)
    if line.split(maxsplit=1)[0] == "treeglass" and not printed:
        faults.append(f"{line}: says nothing")
    return printed, faults


def _run_program(command: list[str], folder: Path) -> tuple[str, list[str]]:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    ran = run(*command, folder=folder, env={**os.environ, "PATH": path})
    return ran.stdout, [] if (ran.stderr, ran.returncode) == ("", 0) else [str(ran)]


def _faults_of_build(words: list[str]) -> list[str]:
    command, *handed_on = words
    if command in _PASSED_THROUGH:
        return [f"{path} is no path here" for path in handed_on if not (ROOT / path).exists()]
    try:
        commands._parser().parse_args(words)
    except SystemExit:
        return [f"the build does not take {words}"]
    return []


def _faults_of_requirements(words: list[str]) -> list[str]:
    with (ROOT / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)["project"]
    known = {
        project["name"],
        *(f"{project['name']}[{x}]" for x in project["optional-dependencies"]),
    }
    pinned = {f"{name}=={project['version']}" for name in known}
    others = re.compile(r"(?:sphinx|mkdocs|myst-parser|furo)(?:[=<>].*)?")
    return [
        f"{word} is no requirement of ours"
        for word in words
        if word not in known | pinned and not others.fullmatch(word) and not word.startswith("-")
    ]
