from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from treeglass.authoring.envelope.review import check_data, review_envelope

if TYPE_CHECKING:
    from treeglass.authoring.envelope.review import DataFamily


SILENT = "text: has none of the words"


def envelope(
    status: str, data: dict[str, Any], text: str = "Something was done."
) -> dict[str, Any]:
    return {
        "status": status,
        "data": data,
        "text": text,
        "stats": {"time_ms": 1},
        "context": {"cwd": ".", "params_input": {}},
    }


@pytest.mark.parametrize(
    ("family", "data", "faults"),
    [
        pytest.param("listing", {"entries": [{"path": "a", "type": "link"}]}, [], id="a listing"),
        pytest.param("listing", {}, ["data.entries: Field required"], id="no entries"),
        pytest.param(
            "listing",
            {"entries": [{"path": "a", "type": "pipe"}]},
            ["data.entries.0.type: Input should be 'file', 'dir' or 'link'"],
            id="an entry of another type",
        ),
        pytest.param("globbing", {"paths": ["a/b"], "truncated": False}, [], id="paths"),
        pytest.param(
            "globbing",
            {"paths": [1]},
            ["data.paths.0: Input should be a valid string"],
            id="no path",
        ),
        pytest.param(
            "searching", {"matches": [{"file": "a", "line": 1, "text": "x"}]}, [], id="matches"
        ),
        pytest.param(
            "searching",
            {"matches": [{"file": "a", "line": "1", "text": "x"}]},
            ["data.matches.0.line: Input should be a valid integer"],
            id="a match on no line",
        ),
        pytest.param("reading", {"content": ""}, [], id="an empty file"),
        pytest.param("reading", {}, ["data.content: Field required"], id="no content"),
        pytest.param("writing", {"applied": True}, [], id="written"),
        pytest.param(
            "writing",
            {"applied": False},
            ["data.applied: false needs the status 'partial'"],
            id="a success that wrote nothing",
        ),
    ],
)
def test_data_is_held_against_its_familys_fields(
    family: DataFamily, data: dict[str, Any], faults: list[str]
) -> None:
    assert check_data(envelope("success", data), family) == faults


def test_errors_and_rewrapped_results_have_no_family() -> None:
    rewrapped = {"truncated": True, "truncation": {}, "preview": "..."}

    assert check_data(envelope("error", {}), "listing") == []
    assert check_data(envelope("partial", rewrapped), "listing") == []


def test_a_dry_run_is_a_partial() -> None:
    assert check_data(envelope("partial", {"applied": False}), "writing") == []


@pytest.mark.parametrize(
    ("reviewed", "advice"),
    [
        pytest.param(envelope("success", {}), [], id="nothing to say"),
        pytest.param(
            envelope("success", {}, "Done."),
            ["text: has fewer than 10 characters"],
            id="little text",
        ),
        pytest.param(
            envelope("partial", {"truncated": True}),
            [
                f"{SILENT} truncat, limit, first, partial that tell of data.truncated",
                f"{SILENT} partial, truncat, fallback, incomplete that tell of status 'partial'",
            ],
            id="silent about truncation",
        ),
        pytest.param(
            envelope("partial", {"truncated": True}, "TRUNCATED after 3 lines."),
            [],
            id="case does not count",
        ),
        pytest.param(
            envelope("partial", {"fallback": "walk"}, "An incomplete search."),
            [f"{SILENT} fallback, slower, python that tell of data.fallback"],
            id="silent about a fallback",
        ),
        pytest.param(
            envelope("error", {"failed_items": []}, "It went wrong."),
            [
                f"{SILENT} try, check, use, run, verify that tell of status 'error'",
                "data: is usually empty on an error",
            ],
            id="an error without a next step",
        ),
        pytest.param(
            envelope("success", {})
            | {"context": {"cwd": "/repo", "params_input": {}, "path_resolved": "/repo/a"}},
            [
                "context.cwd: should be relative to the project root",
                "context.path_resolved: should be relative to the project root",
            ],
            id="absolute paths",
        ),
    ],
)
def test_advice_names_what_could_be_better(reviewed: dict[str, Any], advice: list[str]) -> None:
    assert review_envelope(reviewed) == advice
