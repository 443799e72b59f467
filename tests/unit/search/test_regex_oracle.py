"""Rust's own regex crate, as WebAssembly in the npm package rregex, gives the same answers."""

import json
import shutil
import subprocess
from pathlib import Path
from random import Random
from typing import TypedDict

import pytest

from tests.support.random_regexes import random_line, random_pattern
from treeglass.search.regex import LinePattern, RegexInvalid, compile_rust
from treeglass.search.regex.automaton import LineAutomaton
from treeglass.search.regex.rust_parser import parse_rust

WEB = Path(__file__).parents[3] / "web"
ORACLE = Path(__file__).parents[2] / "support/rust_regex.mjs"
LINES_OF_A_PATTERN = 4

EXPLAINED = {
    r"\p{Lowercase}": ("aB", "only general categories and eleven scripts are carried"),
    r"\p{Tamil}": ("\u0b95", "only general categories and eleven scripts are carried"),
    r"\n|ab": ("ab", "ripgrep refuses a line feed"),
    r"\x00x?": ("\0", "ripgrep refuses a NUL"),
    r"(?:a{200}){100}": ("a", "at most 10,000 positions"),
    r"(?R:$)": ("a\r", "a line feed follows the CR, and no place lies between them"),
}
"""Patterns with a line for which the answers differ, and why."""


class Question(TypedDict):
    pattern: str
    lines: list[str]


class Answer(TypedDict, total=False):
    error: str
    spans: list[list[list[int]]]


def _answers_of_rust(questions: list[Question], folder: Path) -> list[Answer]:
    node = shutil.which("node")
    assert node is not None, "Node.js is needed: see CONTRIBUTING.md"
    asked, answered = folder / "asked.json", folder / "answered.json"
    asked.write_text(json.dumps(questions), "utf-8")
    subprocess.run([node, ORACLE, asked, answered], cwd=WEB, check=True)
    answers: list[Answer] = json.loads(answered.read_text("utf-8"))
    return answers


def _answer(question: Question) -> tuple[Answer, LinePattern | None]:
    """Answer as the oracle does, with offsets in UTF-8; return what was compiled beside it."""
    try:
        compiled = compile_rust(question["pattern"])
    except RegexInvalid as invalid:
        return {"error": str(invalid).partition("\n\nConsider")[0]}, None
    spans = [
        [
            [len(line[:start].encode()), len(line[:end].encode())]
            for start, end in compiled.spans(line)
        ]
        for line in question["lines"]
    ]
    return {"spans": spans}, compiled


def _matching(compiled: LinePattern, question: Question) -> list[list[str]]:
    """Return the lines that match, as found in a text: as chosen, then by the automaton."""
    text = "\n".join(question["lines"])
    automaton = LineAutomaton(parse_rust(question["pattern"]))
    found = [
        compiled.matching_lines(text),
        automaton.matching_lines(text, 0, len(text), lambda: None) if text else [],
    ]
    return [[text[start:end] for start, end in spans] for spans in found]


def _differences(seed: int, patterns: int, folder: Path) -> list[object]:
    random = Random(seed)  # noqa: S311 - the same questions each time
    questions: list[Question] = [
        {
            "pattern": random_pattern(random),
            "lines": [random_line(random) for _ in range(LINES_OF_A_PATTERN)] + ["x"],
        }
        for _ in range(patterns)
    ]
    differences: list[object] = []
    for question, expected in zip(questions, _answers_of_rust(questions, folder), strict=True):
        answer, compiled = _answer(question)
        if answer != expected:
            differences.append((question, answer, expected))
        if compiled is None or "spans" not in expected:
            continue
        lines = [
            line for line, spans in zip(question["lines"], expected["spans"], strict=True) if spans
        ]
        differences += [
            (question, found) for found in _matching(compiled, question) if found != lines
        ]
    return differences


def test_random_patterns_match_at_the_places_that_rust_finds(tmp_path: Path) -> None:
    assert _differences(1, 400, tmp_path) == []


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("seed", [2, 3])
def test_many_random_patterns_match_at_the_places_that_rust_finds(
    seed: int, tmp_path: Path
) -> None:
    assert _differences(seed, 2_000, tmp_path) == []


def test_each_explained_difference_is_still_one(tmp_path: Path) -> None:
    questions: list[Question] = [
        {"pattern": pattern, "lines": [line]} for pattern, (line, _) in EXPLAINED.items()
    ]
    answers = [_answer(question)[0] for question in questions]
    expected = _answers_of_rust(questions, tmp_path)
    same = [
        question["pattern"]
        for question, ours, rusts in zip(questions, answers, expected, strict=True)
        if ours == rusts
    ]
    assert same == []
