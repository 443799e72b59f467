"""Follow a quick start to the letter, in an empty folder."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.docs.start_page import (
    ChooseFile,
    GoToTab,
    LeaveRunning,
    OpenAddress,
    Press,
    RunCommands,
    SeePrinted,
    SeeShown,
    Step,
    TypeText,
    WriteFile,
)
from tests.docs.start_registry import ANSWERED_HOSTS, Registry
from tests.support.browser_support import open_watched_page
from tests.support.shell_support import end_with_children, shell

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from playwright.sync_api import Browser, Page

PATIENCE_MS = 60_000

# Fetch only what is missing, and report only faults.
_QUIET = {
    "npm_config_prefer_offline": "true",
    "npm_config_audit": "false",
    "npm_config_fund": "false",
    "npm_config_loglevel": "error",
    "npm_config_update_notifier": "false",
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    "NO_COLOR": "1",
    "PYTHONIOENCODING": "utf-8",
    "PYTHONUNBUFFERED": "1",
}


class Reader:
    """A reader with an empty folder, one shell and one page of a browser."""

    def __init__(
        self,
        folder: Path,
        registry: Registry,
        open_page: Callable[[], Page],
        stack: ExitStack,
    ) -> None:
        self._desk = folder / "desk"
        self._desk.mkdir()
        registry.put_clone(folder / "treeglass")
        self._kept = folder / "shell-state"
        self._registry = registry
        self._open_page = open_page
        self._stack = stack
        self._environment = _environment(folder)
        self._ran: subprocess.CompletedProcess[str] | None = None
        self._origin = ""
        self._page: Page | None = None

    def follow(self, steps: Sequence[Step]) -> None:
        """Do every step, and see what the page says.

        Raises:
            AssertionError: A command fails, or something else is seen; a note
                has the line of the page.
        """
        for step in steps:
            try:
                self._do(step)
            except BaseException as error:
                error.add_note(f"at line {step.line} of the page: {type(step).__name__}")
                raise

    def _do(self, step: Step) -> None:
        match step:
            case WriteFile(path=path, text=text):
                (self._desk / path).write_text(text, "utf-8", newline="")
            case RunCommands(script=script):
                self._ran = self._run(script)
            case SeePrinted(text=text):
                assert self._ran is not None
                seen = (self._ran.stderr, self._ran.stdout)
                assert seen == ("", text), "printed was:\n" + "".join(seen)
            case LeaveRunning(script=script):
                self._origin = self._stack.enter_context(self._serving(script))
            case OpenAddress(address=address):
                self._page = self._page or self._open_page()
                self._page.goto(re.sub(r"^https?://[^/]+", self._origin, address))
            case _:
                assert self._page is not None, "the page says to open no address before"
                _act(self._page, step, self._desk)

    def _run(self, script: str) -> subprocess.CompletedProcess[str]:
        ran = subprocess.run(
            [shell(), "-c", self._in_one_shell(script, keeps=True)],
            cwd=self._desk,
            env=self._environment,
            capture_output=True,
            encoding="utf-8",
            check=False,
            stdin=subprocess.DEVNULL,
        )
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return ran

    def _in_one_shell(self, script: str, *, keeps: bool = False) -> str:
        """Return a script that continues after the one before."""
        kept = shlex.quote(str(self._kept))
        lines = ["set -e", f"if [ -f {kept} ]; then . {kept}; fi", self._registry.localised(script)]
        if keeps:
            lines.append(f"{{ export -p; echo \"cd '$PWD'\"; }} > {kept}")
        return "\n".join(lines)

    @contextmanager
    def _serving(self, script: str) -> Iterator[str]:
        """Run a command until the context ends; yields the first address that it prints."""
        running = subprocess.Popen(
            [shell(), "-c", self._in_one_shell(script)],
            cwd=self._desk,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            start_new_session=True,
        )
        assert running.stdout is not None
        try:
            yield _first_address(running.stdout)
        finally:
            end_with_children(running)
            running.stdout.close()


@contextmanager
def reading(
    folder: Path, registry: Registry, browser: Callable[[], Browser], model_origin: str
) -> Iterator[Reader]:
    """Yield a reader who follows a quick start; programs that they started end with the context.

    Args:
        folder: An empty one.
        registry: Installs the built packages in place of the published ones.
        browser: Launches one, once an address is opened.
        model_origin: The origin of the scripted model.
    """
    with ExitStack() as stack:

        def open_page() -> Page:
            page = stack.enter_context(open_watched_page(browser(), answered_hosts=ANSWERED_HOSTS))
            page.set_default_timeout(PATIENCE_MS)
            registry.answer(page.context, model_origin)
            return page

        yield Reader(folder, registry, open_page, stack)


def _environment(folder: Path) -> dict[str, str]:
    """Return the environment of a reader who has installed Python, Node and uv only."""
    ours = Path(sys.executable).parent
    interpreters = folder / "interpreters"
    interpreters.mkdir()
    (interpreters / "python3").symlink_to(Path(sys.base_prefix) / "bin" / "python3")
    others = [part for part in os.environ["PATH"].split(os.pathsep) if Path(part) != ours]
    inherited = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("VIRTUAL_ENV", "PYTHON", "UV_"))
    }
    return inherited | _QUIET | {"PATH": os.pathsep.join([str(interpreters), *others])}


def _first_address(lines: Iterable[str]) -> str:
    said = []
    for line in lines:
        said.append(line)
        if address := re.search(r"http://(?:127\.0\.0\.1|localhost):\d+", line):
            return address[0]
    pytest.fail("no address was printed, but:\n" + "".join(said))


def _act(page: Page, step: Step, desk: Path) -> None:
    match step:
        case SeeShown(name=name, text=text):
            part = page.get_by_label(name, exact=True)
            expect(part).to_have_text(text, use_inner_text=True, timeout=PATIENCE_MS)
            shown = part.inner_text().removesuffix("\n") + "\n"
            assert shown == text, f"shown is:\n{shown}"
        case Press(name=name):
            page.get_by_role("button", name=name, exact=True).click()
        case GoToTab(name=name):
            page.get_by_role("tab", name=name, exact=True).click()
        case TypeText(name=name, text=text):
            page.get_by_label(name, exact=True).fill(text)
        case ChooseFile(name=name, path=path):
            button = page.get_by_role("button", name=name, exact=True)
            with page.expect_file_chooser() as chooser:
                button.or_(page.get_by_label(name, exact=True)).click()
            chooser.value.set_files(desk / path)
        case _:
            pytest.fail(f"unknown step: {step}")
