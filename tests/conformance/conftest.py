"""Hosts, answers and the closing table of the conformance run."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from tests.conformance.answers.answer_book import AnswerBook
from tests.conformance.hosts.browser_host import BrowserHost
from tests.conformance.hosts.cpython_host import CPythonHost
from tests.conformance.hosts.edge_host import DirectoryHost, EdgeHost
from tests.conformance.hosts.webkit_host import WebKitHost
from tests.conformance.hosts.workerd_host import WorkerdHost
from tests.conformance.recorded import BROWSER_HOSTS, EDGE_HOSTS
from tests.conformance.scenes import DescribedHost, Host, HostAbout
from tests.conformance.suite_outcome import Judge, judge_suite
from tests.conformance.tally import Tally
from tests.support.browser_support import BrowserNotFound, Browsers, use_browser_support
from tests.support.hosts.edge_support import RuntimeNotFound
from tests.support.hosts.missing_hosts import skip_or_fail
from tests.support.hosts.webkit_support import WebKitNotFound

# Imported by test modules only, and its asserts are worth their explanations.
pytest.register_assert_rewrite(
    "tests.conformance.answers.codex_answers",
    "tests.conformance.answers.digests",
    "tests.conformance.answers.envelope_answers",
    "tests.conformance.answers.forge_answers",
)


def pytest_configure(config: pytest.Config) -> None:
    use_browser_support(config)


@pytest.fixture(scope="session")
def untold() -> dict[str, HostAbout]:
    """What hosts that have started say of themselves, until a test's report tells it."""
    return {}


@pytest.fixture(scope="session")
def books(
    browsers: Browsers, untold: dict[str, HostAbout]
) -> Iterator[Callable[[str], AnswerBook]]:
    """The answers of a host, which is started when it is first asked for.

    A host that does not start is not tried again: it may take a minute to
    give up, and there are several suites.
    """
    started: dict[str, AnswerBook | Exception] = {}
    with ExitStack() as stack:

        def start(host_name: str) -> AnswerBook:
            host = _FACTORIES[host_name](browsers, host_name)
            stack.callback(host.close)
            book = AnswerBook(host)
            if isinstance(host, DescribedHost):
                untold[host_name] = host.about()
            return book

        def book_of(host_name: str) -> AnswerBook:
            if host_name not in started:
                try:
                    started[host_name] = start(host_name)
                except Exception as raised:  # noqa: BLE001  # kept, and raised for each who asks
                    started[host_name] = raised
            found = started[host_name]
            if isinstance(found, (BrowserNotFound, RuntimeNotFound, WebKitNotFound)):
                skip_or_fail(_PROGRAMS[host_name], found)
            if isinstance(found, Exception):
                raise found
            return found

        yield book_of


def _cpython(_browsers: Browsers, _host_name: str) -> Host:
    return CPythonHost()


def _playwright(browsers: Browsers, host_name: str) -> Host:
    browser_name, way = BROWSER_HOSTS[host_name]
    return BrowserHost(browsers.get(browser_name), host_name, way)


def _webkit(_browsers: Browsers, host_name: str) -> Host:
    _, way = BROWSER_HOSTS[host_name]
    return WebKitHost(host_name, way)


def _workerd(_browsers: Browsers, _host_name: str) -> Host:
    return WorkerdHost()


def _edge(_browsers: Browsers, host_name: str) -> Host:
    return EdgeHost(EDGE_HOSTS[host_name], host_name)


def _directory(_browsers: Browsers, host_name: str) -> Host:
    return DirectoryHost(EDGE_HOSTS[host_name], host_name)


_FACTORIES: dict[str, Callable[[Browsers, str], Host]] = {
    "cpython": _cpython,
    "chromium": _playwright,
    "firefox": _playwright,
    "chromium-packages": _playwright,
    "firefox-packages": _playwright,
    "webkit": _webkit,
    "node": _edge,
    "deno": _edge,
    "bun": _edge,
    "node-directory": _directory,
    "deno-directory": _directory,
    "bun-directory": _directory,
    "workerd": _workerd,
}
"""How each host is made, of the running browsers and its name."""

_PROGRAMS = {host: browser for host, (browser, _) in BROWSER_HOSTS.items()} | EDGE_HOSTS
"""What each host that may be missing runs in."""


@pytest.fixture
def assert_suite(
    books: Callable[[str], AnswerBook],
    untold: dict[str, HostAbout],
    record_property: Callable[[str, object], None],
) -> Callable[[str, str, Judge], None]:
    """A function that judges a host's answers to a whole suite, and names each that differs."""

    def check(host_name: str, suite_name: str, judge: Judge) -> None:
        record_property("conformance", (host_name, suite_name))
        book = books(host_name)
        if about := untold.pop(host_name, None):
            record_property("about", (about.version, about.start_ms))
        outcome = judge_suite(host_name, suite_name, book, judge)
        record_property("counts", outcome.counts())
        if outcome.failures:
            pytest.fail("\n\n".join(outcome.failures), pytrace=False)

    return check


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    tally = Tally()
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                tally.add(report)
    if tally.is_empty:
        return
    terminalreporter.section("conformance")
    for line in tally.lines():
        terminalreporter.line(line)
    tally.write(config.rootpath / "test-results" / "conformance.json")
