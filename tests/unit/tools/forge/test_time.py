"""Long work of `Search` and `Read` looks at the clock, and masks no more than an answer needs."""

import itertools
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from treeglass import Config, ToolRegistry, Workspace
from treeglass.tools.forge import search_answer, text

AROUND = {"pattern": "needle", "context": 2**32 - 1}


def test_a_search_looks_at_the_clock_among_the_lines_around_a_match(
    make_tree: Callable[..., Path],
) -> None:
    # None of these lines is UTF-8, so none is shown, and all are looked at.
    root = make_tree({"a.txt": b"needle\n" + b"\xff\n" * 100_000})
    seconds = itertools.count()
    registry = ToolRegistry(Workspace({"/project": root}), clock=lambda: next(seconds))

    result = registry.call_tool("Search", {**AROUND, "timeout_ms": 25_000})

    answer = json.loads(result.content)
    assert (answer["completion"], answer["content"]) == ("timed_out", "... [timed out]")
    assert result.warnings == (
        "The time was up after 0 of 1 files were searched; narrow path or include_glob.",
    )


def test_a_search_masks_no_text_that_is_too_long_for_its_answer(
    make_tree: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    root = make_tree({"a.txt": "needle AIzaX\n", "b.txt": "needle" + "a" * 100_000})
    masked_chars = []
    sanitized = text.sanitized

    def noted(shown: str, *, masks_keys: bool) -> str:
        masked_chars.append(len(shown))
        return sanitized(shown, masks_keys=masks_keys)

    monkeypatch.setattr(search_answer, "sanitized", noted)
    registry = ToolRegistry(Workspace({"/project": root}), Config())

    result = registry.call_tool("Search", AROUND, max_output_bytes=1_000)

    assert json.loads(result.content)["content"] == "a.txt:1:1: needle AIza***\n... [truncated]"
    assert max(masked_chars) <= 1_000


@pytest.mark.parametrize("has_numbers", [True, False])
def test_a_read_looks_at_the_clock_while_it_numbers_and_cleans_lines(
    make_tree: Callable[..., Path], *, has_numbers: bool
) -> None:
    root = make_tree({"a.txt": "a\n" * 100_000})
    config = Config.from_object(
        {"tools": {"offered": ["forge.Read"], "timeouts": {"file_operations_seconds": 10}}}
    )
    seconds = itertools.count()
    registry = ToolRegistry(Workspace({"/project": root}), config, clock=lambda: next(seconds))
    # Reading alone looks four times, which is once each 64 KiB.
    lines = {"path": "a.txt", "start_line": 1, "end_line": 100_000, "line_numbers": has_numbers}

    result = registry.call_tool("Read", lines)

    assert (result.content, result.is_error) == ("Tool 'Read' timed out after 12s", True)
