"""A project with the packed package in it: installed, built, and opened in Chromium."""

import os
import secrets
import shlex
import shutil
import socket
from contextlib import AbstractContextManager, suppress
from functools import cache
from pathlib import Path

from build_steps.programs import find_program
from tests.browser.example_commands import running
from tests.bundlers.bundlers import PROJECTS, SHARED, Bundler
from tests.support.browser_support import Browsers, open_watched_page
from tests.support.hosts.edge_support import program_of
from tests.support.hosts.newer_node import folders_of_newer_node
from tests.support.programs import printed_by
from tests.support.served_directory import serve_directory

# npm asks the registry only for what its cache lacks.
_LEAN = {
    "npm_config_prefer_offline": "true",
    "ASTRO_TELEMETRY_DISABLED": "1",
    "NEXT_TELEMETRY_DISABLED": "1",
    "NO_COLOR": "1",
}


def install(bundler: Bundler, tarball: Path, folder: Path) -> Path:
    """Copy a bundler's project, install the package in it, and copy the assets; return it."""
    project = folder / bundler.project
    shutil.copytree(
        _installed(bundler.project, tarball), project, symlinks=True, copy_function=os.link
    )
    shutil.copytree(SHARED, project / bundler.sources)
    sources = shutil.ignore_patterns("package.json")
    shutil.copytree(PROJECTS / bundler.project, project, ignore=sources, dirs_exist_ok=True)
    run(f"npx treeglass assets {bundler.assets}", project)
    return project


@cache
def _installed(project: str, tarball: Path) -> Path:
    """Return what npm installs for a project, which several tests build."""
    folder = tarball.parent / project
    folder.mkdir(exist_ok=True)
    shutil.copy(PROJECTS / project / "package.json", folder)
    run(f"npm install --no-audit --no-fund {shlex.quote(str(tarball))}", folder)
    return folder


def run(command: str, folder: Path, **environment: str) -> None:
    """Run a command that must succeed.

    Raises:
        AssertionError: It failed; the message is what it printed.
    """
    name, *words = shlex.split(command)
    program = program_of("bun") if name == "bun" else find_program(name)
    printed_by(program, *words, folder=folder, env={**os.environ, **_LEAN, **environment})


def built_and_shown(bundler: Bundler, project: Path, browsers: Browsers) -> str:
    """Build a project, open its page, and return the text that the page shows once it is ready."""
    folders = [*folders_of_newer_node(bundler.needs_node), os.environ["PATH"]]
    path = os.pathsep.join(folders)
    run(bundler.command, project, PATH=path)
    if bundler.server is not None:
        return served_and_shown(
            bundler.server, project, browsers, PATH=path, HOST="127.0.0.1", PORT=str(_free_port())
        )
    with serve_directory(project / bundler.output) as origin:
        return shown_at(origin + bundler.page, browsers)


def served_and_shown(command: str, project: Path, browsers: Browsers, **environment: str) -> str:
    """Start a project's server, and return the text that its page shows once it is ready."""
    with served(command, project, **environment) as origin:
        return shown_at(origin, browsers)


def served(command: str, project: Path, **environment: str) -> AbstractContextManager[str]:
    """Run a project's server until the context ends, which yields its origin."""
    return running(command, project, **_LEAN, **environment)


def shown_at(address: str, browsers: Browsers) -> str:
    """Return the text that a page shows once it is ready."""
    with open_watched_page(browsers.get("chromium")) as page:
        page.goto(address)
        # By XPath, which does not look into the demo that the page may have, too.
        return page.locator("xpath=//pre[string()]").text_content() or ""


def _free_port() -> int:
    """Return a port that other tests hardly take before the server has started.

    It is below those that systems give to connections, of which other tests open many.
    """
    while True:
        port = secrets.choice(range(20_000, 32_000))
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
