"""What a chunk writes where its last old line is empty and the file lacks it; and how long a
search takes."""

import time

import pytest

from treeglass.tools.codex.changes.patch_edits import ChunkNotFound, updated
from treeglass.tools.codex.changes.patch_text import Chunk, ChunkLine
from treeglass.workspace.limits import Limits


def update(text: str, *lines: str) -> str:
    chunk = Chunk(lines=[ChunkLine(line[0], line[1:]) for line in lines])
    return updated(text, [chunk], "/f", Limits(), lambda: None).decode()


@pytest.mark.parametrize(
    ("text", "lines", "expected"),
    [
        ("a\n", ["-a", "-", "+b"], "b\n"),
        ("a\n", ["-a", "+b", " "], "b\n"),
        ("a\n", [" a", " ", "+b"], "a\n\nb\n"),
        # The new half of the empty line that stays is left out, so that the line goes.
        ("a\n\n", ["-a", " ", "-"], ""),
        ("a\n\n", ["-a", "+b", " ", "-"], "b\n"),
        ("a\n\n", ["-a", " ", "-", "+b"], "\nb\n"),
    ],
)
def test_an_empty_last_line_that_the_file_lacks_is_left_out(
    text: str, lines: list[str], expected: str
) -> None:
    assert update(text, *lines) == expected


def test_a_run_of_many_lines_is_found_in_linear_time() -> None:
    text = "a\n" * 50_000 + "b\n"
    run = [*["-a "] * 5_000, "-b"]

    begin = time.perf_counter()
    found = update(text, *run)
    with pytest.raises(ChunkNotFound):
        update(text, *run, "-c", "-b")
    seconds = time.perf_counter() - begin

    assert found == "a\n" * 45_000
    assert seconds < 1
