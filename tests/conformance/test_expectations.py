from collections.abc import Callable

import pytest

from tests.conformance.answers.answer_book import AnswerBook
from tests.conformance.parametrise import each_host
from tests.conformance.recorded import (
    HOSTS,
    all_cases,
    expected_failures,
)
from tests.conformance.scenes import Capability

# The cases that a page cannot run. Its trees are data: they hold neither pipes nor
# permissions, names are text, and the filesystem under them cannot be made to
# fail.
OF_A_PAGE = {
    Capability.FAULTS,
    Capability.PERMISSIONS,
    Capability.PIPES,
    Capability.RAW_NAMES,
}
# The cases that a folder of the machine cannot run: names are text, and permission
# bits need not bind the program.
OF_A_FOLDER = OF_A_PAGE - {Capability.PIPES}
# A capability that comes or goes changes the tested cases, so it has to change
# this table too.
EXCUSED: dict[str, set[Capability]] = {
    "cpython": set(),
    "chromium": OF_A_PAGE,
    "firefox": OF_A_PAGE,
    "chromium-packages": OF_A_PAGE,
    "firefox-packages": OF_A_PAGE,
    "webkit": OF_A_PAGE,
    "node": OF_A_PAGE,
    "deno": OF_A_PAGE,
    "bun": OF_A_PAGE,
    "node-directory": OF_A_FOLDER,
    "deno-directory": OF_A_FOLDER,
    "bun-directory": OF_A_FOLDER,
    "workerd": OF_A_PAGE,
}


@pytest.mark.parametrize("host", each_host())
def test_host_lacks_exactly_the_capabilities_it_is_excused_for(
    host: str, books: Callable[[str], AnswerBook]
) -> None:
    book = books(host)

    lacking = {capability for case in all_cases() for capability in book.lacking(case)}

    assert lacking - {Capability.LIBRARY} == EXCUSED[host]


def test_every_capability_is_needed_by_a_case() -> None:
    needed = {capability for case in all_cases() for capability in case.needs}

    assert needed | {Capability.LIBRARY} == set(Capability)


def test_case_ids_are_unique_within_a_suite() -> None:
    named = [(case.suite, case.id) for case in all_cases()]

    assert sorted(set(named)) == sorted(named)


def test_expected_failures_name_known_suites_hosts_and_cases() -> None:
    known = {(case.suite, host, case.id) for case in all_cases() for host in HOSTS}
    named = {
        (entry.suite, host, case_id)
        for entry in expected_failures()
        for host in entry.hosts
        for case_id in entry.cases
    }

    assert named - known == set()


def test_every_expected_failure_has_one_entry_and_a_reason() -> None:
    named = [
        (entry.suite, host, case_id)
        for entry in expected_failures()
        for host in entry.hosts
        for case_id in entry.cases
    ]

    assert sorted(set(named)) == sorted(named)
    assert [entry for entry in expected_failures() if not entry.reason.strip()] == []
