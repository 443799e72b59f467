"""Find WebKitGTK, launch it on a display of its own, and hold its pages to good behaviour."""

import os
import shutil
import subprocess
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from selenium.webdriver import WebKitGTK
from selenium.webdriver.webkitgtk.options import Options
from selenium.webdriver.webkitgtk.service import Service

from build_steps.programs import runs_as_root
from tests.support.served_directory import serve_directory
from tests.support.start_json import with_worker

SCRIPT_PATIENCE_S = 120
"""A script that takes longer hangs."""

_MINI_BROWSERS = ("webkitgtk-6.0", "webkit2gtk-4.1", "webkit2gtk-4.0")
_PROGRAM_FOLDERS = (
    "/usr/lib",
    "/usr/libexec",
    "/usr/lib64",
    "/usr/local/lib",
    "/usr/local/libexec",
)
_SCREEN = "1280x1024x24"
_FAULTS = "/faults/"

# WebDriver does not report the console, and WebKit does not report a worker's rejections.
# Synchronous, so that the last words of a closing page or worker count too.
_COLLECTOR = b"""\
{
  const tell = (...parts) => {
    const request = new XMLHttpRequest();
    request.open("GET", `/faults/${encodeURIComponent(parts.join(" ").slice(0, 2000))}`, false);
    request.send();
  };
  const { error, assert } = console;
  console.error = (...said) => {
    tell("console error:", ...said);
    error.apply(console, said);
  };
  console.assert = (holds, ...said) => {
    if (!holds) tell("console assert:", ...said);
    assert.call(console, holds, ...said);
  };
  addEventListener("error", (event) => {
    if (event instanceof ErrorEvent) tell("unhandled:", event.message);
  });
  addEventListener("unhandledrejection", ({ reason }) => tell("unhandled rejection:", reason));
  addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
    tell("policy violation:", effectiveDirective, blockedURI);
  });
}
"""
_COLLECTOR_TAG = b'<script src="/faults.js"></script>'


class WebKitNotFound(Exception):
    """A part of WebKitGTK is not installed; the text says what to install."""


@dataclass(frozen=True, slots=True)
class WebKitPrograms:
    """The paths of the three programs that a driven WebKitGTK needs."""

    driver: str
    browser: str
    display: str


def find_webkit() -> WebKitPrograms:
    """Return the programs of WebKitGTK.

    Raises:
        WebKitNotFound: One of them is missing.
    """
    driver, display = shutil.which("WebKitWebDriver"), shutil.which("Xvfb")
    browser = _find_mini_browser(Path(driver)) if driver else None
    if driver is None or browser is None or display is None:
        missing = [
            name
            for name, path in [
                ("WebKitWebDriver", driver),
                ("MiniBrowser", browser),
                ("Xvfb", display),
            ]
            if path is None
        ]
        message = (
            f"WebKitGTK cannot be driven without {' and '.join(missing)}: "
            "install the packages webkit2gtk-driver and xvfb"
        )
        raise WebKitNotFound(message)
    return WebKitPrograms(driver, browser, display)


def _find_mini_browser(driver: Path) -> str | None:
    """Return the browser that came with a driver; it is not on the PATH."""
    if found := shutil.which("MiniBrowser"):
        return found
    beside = driver.resolve().parent.parent
    tops = [Path(top) for top in _PROGRAM_FOLDERS] + [beside / "lib", beside / "libexec"]
    for name in _MINI_BROWSERS:
        for top in tops:
            # Debian adds a folder that is named after the machine's architecture.
            for path in [top / name / "MiniBrowser", *top.glob(f"*/{name}/MiniBrowser")]:
                if os.access(path, os.X_OK):
                    return str(path)
    return None


class WebKit:
    """One running WebKitGTK with one window."""

    def __init__(self, driver: WebKitGTK) -> None:
        self.driver = driver
        self.version = f"WebKitGTK {driver.capabilities['browserVersion']}"
        driver.set_script_timeout(SCRIPT_PATIENCE_S)

    def run(self, body: str, given: object = None) -> Any:
        """Run the body of an async function of `given` in the page and return what it returns.

        Raises:
            AssertionError: It threw.
            selenium.common.TimeoutException: It has not ended in time.
        """
        told = self.driver.execute_async_script(
            f"""
            const [given, done] = arguments;
            (async () => {{ {body} }})().then(
                (value) => done({{ value: value ?? null }}),
                (error) => done({{ thrown: `${{error}}\\n${{error?.stack}}` }}),
            );
            """,
            given,
        )
        if "thrown" in told:
            raise AssertionError(told["thrown"])
        return told["value"]


@contextmanager
def launch_webkit(*, features: Sequence[str] = ()) -> Iterator[WebKit]:
    """Yield a running WebKitGTK while the context lasts.

    Args:
        features: Names of what WebKit has and WebKitGTK leaves off, to switch on.

    Raises:
        WebKitNotFound: WebKitGTK is not installed.
    """
    programs = find_webkit()
    with ExitStack() as stack:
        display = stack.enter_context(_display(programs.display))
        # WebKit's own sandbox refuses to work for root, and in most containers.
        root = {"WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1"} if runs_as_root() else {}
        environment = {**os.environ, "DISPLAY": display, **root}
        options = Options()
        options.binary_location = programs.browser
        options.add_argument("--automation")
        if features:
            options.add_argument(f"--features={','.join(features)}")
        service = Service(executable_path=programs.driver, env=environment)
        with warnings.catch_warnings():
            # Selenium's own class for WebKitGTK passes this deprecated argument to its parent.
            warnings.filterwarnings("ignore", "setting remote_server_addr", DeprecationWarning)
            driver = WebKitGTK(options=options, service=service)
        stack.callback(driver.quit)
        yield WebKit(driver)


@contextmanager
def _display(program: str) -> Iterator[str]:
    """Yield the name of a virtual display."""
    reading, writing = os.pipe()
    with os.fdopen(reading) as number:
        # Xvfb chooses a number that is free, and says it once it can be used.
        running = subprocess.Popen(
            [program, "-displayfd", str(writing), "-screen", "0", _SCREEN, "-nolisten", "tcp"],
            pass_fds=[writing],
            stderr=subprocess.DEVNULL,
        )
        os.close(writing)
        try:
            chosen = number.readline().strip()
            if not chosen:
                message = "Xvfb ended before it had a display"
                raise RuntimeError(message)
            yield f":{chosen}"
        finally:
            running.terminate()
            running.wait()


@contextmanager
def serve_watched(
    directory: Path,
    *,
    pages: Mapping[str, bytes] | None = None,
    headers: Mapping[str, str] | None = None,
) -> Iterator[str]:
    """Serve a folder whose pages and worker may not misbehave; yields the origin.

    Args:
        directory: The folder at `/`, with the package's `assets/worker.js`.
        pages: Path to content of what is served besides.
        headers: Added to every response.

    Raises:
        AssertionError: At the end, if a page or a worker wrote an error to the
            console, left an exception or a rejection unhandled, or broke its policy.
    """
    asked: list[str] = []
    index = directory / "index.html"
    found = {"/": index.read_bytes()} if index.exists() else {}
    served = {**found, **(pages or {})}
    watched = {
        path: _watched(page) if path.endswith(("/", ".html")) else page
        for path, page in served.items()
    }
    worker = b'import "/faults.js";\n' + (directory / "assets" / "worker.js").read_bytes()
    start = served.get("/assets/start.json") or (directory / "assets" / "start.json").read_bytes()
    scripts = {
        "/faults.js": _COLLECTOR,
        "/assets/worker.js": worker,
        "/assets/start.json": with_worker(start, worker),
    }
    try:
        with serve_directory(
            directory, pages={**watched, **scripts}, headers=headers, asked=asked
        ) as origin:
            yield origin
    except BaseException as error:
        for fault in _faults_in(asked):
            error.add_note(fault)
        raise
    if faults := _faults_in(asked):
        raise AssertionError("\n".join(["the page misbehaved:", *faults]))


def _watched(page: bytes) -> bytes:
    """Return a page whose first script is the collector, after the policy that a tag sets."""
    head, tag, rest = page.partition(b"<title>")
    assert tag, "a page without a title has no place for the collector"
    return head + _COLLECTOR_TAG + tag + rest


def _faults_in(asked: Sequence[str]) -> list[str]:
    return [unquote(path.removeprefix(_FAULTS)) for path in asked if path.startswith(_FAULTS)]
