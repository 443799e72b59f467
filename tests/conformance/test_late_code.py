"""Code that arrives late changes no answer, and the recorded cases need none of it."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.conformance.answers.answer_book import AnswerBook
from tests.conformance.hosts import browser_host, edge_host, page_jobs
from tests.conformance.hosts.browser_host import BrowserHost
from tests.conformance.hosts.edge_host import EdgeHost
from tests.conformance.recorded import SUITES, suite
from tests.conformance.test_hosts_agree import comparable
from tests.conformance.trees import Json
from tests.support.browser_support import Browsers
from tests.support.hosts.edge_support import PACKAGE
from tests.support.late_code import cold_package, copy_without_late_code

pytestmark = pytest.mark.rebuild


def _answers(book: AnswerBook, names: tuple[str, ...]) -> dict[str, Json]:
    return {
        case.id: comparable(book.answer(case))
        for name in names
        for case in suite(name)
        if not book.lacking(case)
    }


@pytest.fixture
def answers_of(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], dict[str, Json]]:
    """Asks every recorded case of a package, under Node."""

    def ask(package: Path) -> dict[str, Json]:
        monkeypatch.setattr(edge_host, "PACKAGE", package)
        with closing(EdgeHost("node", "node")) as host:
            return _answers(AnswerBook(host), tuple(SUITES))

    return ask


def test_a_program_gives_the_same_answers_when_code_arrives_late(
    answers_of: Callable[[Path], dict[str, Json]], books: Callable[[str], AnswerBook]
) -> None:
    assert answers_of(cold_package()) == _answers(books("node"), tuple(SUITES))


def test_the_recorded_cases_need_no_late_code(
    tmp_path: Path,
    answers_of: Callable[[Path], dict[str, Json]],
    books: Callable[[str], AnswerBook],
) -> None:
    late = copy_without_late_code(PACKAGE, tmp_path / "npm")

    assert [path.rpartition("/")[2] for path in late[:3]] == [
        "pyodide.asm.late.wasm",
        "pydantic_core.late.wasm",
        "python_stdlib.zip.bin",
    ]
    assert answers_of(tmp_path / "npm") == _answers(books("node"), tuple(SUITES))


def test_a_page_gives_the_same_answers_when_code_arrives_late(
    browsers: Browsers,
    monkeypatch: pytest.MonkeyPatch,
    books: Callable[[str], AnswerBook],
) -> None:
    for module in (browser_host, page_jobs):
        monkeypatch.setattr(module, "PACKAGE", cold_package())
    with closing(BrowserHost(browsers.get("chromium"), "chromium", "image")) as host:
        found = _answers(AnswerBook(host), ("list_dir",))

    assert found == _answers(books("node"), ("list_dir",))
