"""The examples' servers: installed and started by the commands that their README documents."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from build_steps.folders import ROOT
from build_steps.programs import find_program
from build_steps.web.packages import install_edge_runtimes
from tests.browser.example_commands import (
    copy_examples,
    documented_commands,
    documented_folders,
)
from tests.support.hosts.missing_hosts import skip_or_fail
from tests.support.programs import printed_by

_LEAN = {"npm_config_prefer_offline": "true", "npm_config_audit": "false", "NO_COLOR": "1"}

_INSTALL_SECONDS = 240

_DIST = ROOT / "dist"

EDGE = ROOT / "tests" / "edge"


class ServerExample:
    """One of the examples, installed in a checkout of its own."""

    def __init__(self, name: str, checkout: Path) -> None:
        self.name = name
        # A copy for each runtime: they install other packages.
        examples = checkout / "web" / "examples"
        self.folder = examples / name
        shutil.copytree(examples / documented_folders()[name], self.folder)
        self._install, self._start = documented_commands()[name].split(" && ")
        self._environment = os.environ | _LEAN
        runtimes = {str(program.parent) for program in install_edge_runtimes().values()}
        self._environment["PATH"] = os.pathsep.join([*runtimes, os.environ["PATH"]])

    def install(self) -> None:
        """Run the first half of the command; skip the test if its runtime is missing."""
        program = self._start.split()[0]
        if shutil.which(program, path=self._environment["PATH"]) is None:
            said = f"{program} is missing: install it, or let npm fetch tests/edge/runtimes"
            skip_or_fail(program, said)
        installing = shlex.split(self._install)
        printed_by(*installing, folder=self.folder, env=self._environment, timeout=_INSTALL_SECONDS)

    @contextmanager
    def serving(self, directory: Path, *, node_options: str = "") -> Iterator[ServingProcess]:
        """Run the second half until the context ends; yield when it prints an address."""
        command = shlex.split(self._start.replace("DIRECTORY", shlex.quote(str(directory))))
        program = shutil.which(command[0], path=self._environment["PATH"])
        assert program is not None, f"{command[0]} is not installed"
        with subprocess.Popen(
            # By its whole path: a bare name would be looked up in this program's own PATH.
            [program, *command[1:]],
            cwd=self.folder,
            env=self._environment | {"PORT": "0", "NODE_OPTIONS": node_options},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        ) as process:
            try:
                assert process.stdout is not None
                line = process.stdout.readline()
                address = re.search(r"http://127\.0\.0\.1:\d+", line)
                if address is None:
                    process.kill()
                    raise AssertionError(line + process.stdout.read())
                yield ServingProcess(process, address[0])
            finally:
                process.kill()

    def run_beside(self, script: str, *options: str) -> str:
        """Run a script of the tests beside the example's packages, and return what it printed."""
        shutil.copyfile(EDGE / script, self.folder / script)
        command = [*shlex.split(self._start.split(" server.mjs")[0]), *options, script]
        return printed_by(
            *command, folder=self.folder, env=self._environment, timeout=_INSTALL_SECONDS
        )


class ServingProcess:
    """A server that printed its address."""

    def __init__(self, process: subprocess.Popen[str], origin: str) -> None:
        self.process = process
        self.origin = origin
        self.port = int(origin.rpartition(":")[2])


def copied_checkout(folder: Path) -> Path:
    """Return a checkout with the examples and the built package, before any installation."""
    copy_examples(_DIST, folder)
    return folder


def ask_node(script: str, given: Any, *options: str) -> Any:
    """Run one of the tests' scripts by Node with JSON as its input, and return its JSON."""
    asking = [find_program("node"), str(EDGE / script), *options]
    return json.loads(printed_by(*asking, given=json.dumps(given), timeout=_INSTALL_SECONDS))
