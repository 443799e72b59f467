"""A reader who follows a quick start to the letter, in an empty folder."""

import os
import re
import shlex
import sys
from collections.abc import Callable
from contextlib import ExitStack
from functools import cached_property
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from tests.docs.starts.start_registry import ANSWERED_HOSTS, Registry
from tests.support.browser_support import open_watched_page
from tests.support.programs import run
from tests.support.shell_support import left_running, shell

# Fetch only what is missing, and report only faults.
_QUIET = {
    "npm_config_prefer_offline": "true",
    "npm_config_audit": "false",
    "npm_config_fund": "false",
    "npm_config_loglevel": "error",
    "npm_config_update_notifier": "false",
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    # Python compiles what is imported.
    "PIP_NO_COMPILE": "1",
    "NO_COLOR": "1",
    "PYTHONIOENCODING": "utf-8",
    "PYTHONUNBUFFERED": "1",
}


class Reader:
    """A reader with an empty folder, one shell and one page of a browser.

    A method is one step of a page; it raises an AssertionError if a command fails, or if what is
    seen is something else.

    Args:
        folder: An empty one.
        registry: Installs the built packages in place of the published ones.
        browser: Launches one, once an address is opened.
        stack: Ends the programs that were left running, and closes the page.
    """

    def __init__(
        self, folder: Path, registry: Registry, browser: Callable[[], Browser], stack: ExitStack
    ) -> None:
        self._desk = folder / "desk"
        self._desk.mkdir()
        registry.put_clone(folder / "treeglass")
        self._kept = shlex.quote(str(folder / "shell-state"))
        self._registry = registry
        self._browser = browser
        self._stack = stack
        self._environment = _environment(folder)
        self._printed = ("", "no command was run")
        self._origin = ""

    def write_file(self, path: str, text: str) -> None:
        """Write a file of the reader's folder, with its whole text."""
        (self._desk / path).write_text(text, "utf-8", newline="")

    def make_folder(self, name: str) -> None:
        """Make a folder beside the files."""
        (self._desk / name).mkdir()

    def run_commands(self, script: str) -> None:
        """Run lines of a shell; each must succeed."""
        keeping = f"{{ export -p; echo \"cd '$PWD'\"; }} > {self._kept}"
        in_shell = (shell(), "-c", f"{self._in_one_shell(script)}\n{keeping}")
        ran = run(*in_shell, folder=self._desk, env=self._environment)
        assert ran.returncode == 0, ran.stdout + ran.stderr
        self._printed = (ran.stderr, ran.stdout)

    def see_printed(self, text: str) -> None:
        """See all that the commands just run have printed."""
        assert self._printed == ("", text), "printed was:\n" + "".join(self._printed)

    def leave_running(self, script: str) -> None:
        """Start a command that serves until the reader has read the page."""
        in_shell = (shell(), "-c", self._in_one_shell(script))
        address = r"http://(?:127\.0\.0\.1|localhost):\d+"
        serving = left_running(*in_shell, folder=self._desk, env=self._environment, says=address)
        self._origin = self._stack.enter_context(serving)[0]

    def open_address(self, address: str) -> None:
        """Open an address of the command that was left running."""
        assert self._origin, "the page says to leave no command running before"
        self._page.goto(re.sub(r"^https?://[^/]+", self._origin, address))

    def open_file(self, path: str) -> None:
        """Open a file of the reader's from the disk."""
        self._page.goto((self._desk / path).as_uri())

    def see_shown(self, name: str, text: str) -> None:
        """See all the text of the part of the page that has this name."""
        part = self._page.get_by_label(name, exact=True)
        expect(part).to_have_text(text, use_inner_text=True)
        shown = part.inner_text().removesuffix("\n") + "\n"
        assert shown == text, f"shown is:\n{shown}"

    def press(self, name: str) -> None:
        """Click on the button of this name, which may go on after a semicolon."""
        whole = re.compile(rf"^{re.escape(name)}(;.*| [\d.]+ MB)?$", re.DOTALL)
        self._page.get_by_role("button", name=whole).click()

    def go_to_tab(self, name: str) -> None:
        """Click on the tab of this name below a call; an open file may have one of its own."""
        calls = self._page.get_by_role("region", name="Calls")
        calls.get_by_role("tab", name=name, exact=True).click()

    def type_text(self, text: str, name: str) -> None:
        """Type a text into the field of this name; it replaces the present one."""
        self._page.get_by_label(name, exact=True).fill(text)

    def choose_file(self, path: str, name: str) -> None:
        """Choose a file or a folder of the reader's by the input or the button of this name."""
        button = self._page.get_by_role("button", name=name, exact=True)
        with self._page.expect_file_chooser() as chooser:
            button.or_(self._page.get_by_label(name, exact=True)).click()
        chooser.value.set_files(self._desk / path)

    @cached_property
    def _page(self) -> Page:
        opening = open_watched_page(self._browser(), answered_hosts=ANSWERED_HOSTS)
        page = self._stack.enter_context(opening)
        self._registry.answer(page.context)
        return page

    def _in_one_shell(self, script: str) -> str:
        """Return a script that continues after the one before."""
        goes_on = f"set -e\nif [ -f {self._kept} ]; then . {self._kept}; fi"
        return f"{goes_on}\n{self._registry.localised(script)}"


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
