"""Write the Unicode tables of the regexes, as Rust's regex crate has them.

Run `python -m build_steps.unicode` after pinning another version of the npm package rregex.
"""

from __future__ import annotations

import json
import subprocess
from itertools import pairwise
from pathlib import Path
from string import ascii_letters
from typing import TypedDict

from treeglass.search.regex.unicode_tables import CATEGORY_NAMES

ROOT = Path(__file__).resolve().parents[2]
WEB = ROOT / "web"
WRITTEN = ROOT / "src/treeglass/search/regex/unicode_data.py"
LINE_WIDTH = 100
_HEAD = '''"""The properties of characters in Unicode 16.0, as ripgrep 15 has them.

Written by `python -m build_steps.unicode`; `unicode_tables` reads it. Python's own tables
are of another Unicode version in each minor release.
"""
'''


class Known(TypedDict):
    """What `ask_rust.mjs` prints: ranges are pairs of the first and the last code point."""

    categories: list[tuple[str, list[list[int]]]]
    orbits: list[list[int]]
    scripts: list[tuple[str, list[list[int]]]]
    word: list[list[int]]
    space: list[list[int]]


def ask_rust() -> Known:
    """Return what `ask_rust.mjs` prints."""
    script = Path(__file__).with_name("ask_rust.mjs")
    done = subprocess.run(["node", script], check=True, stdout=subprocess.PIPE, cwd=WEB)
    known: Known = json.loads(done.stdout)
    return known


def category_runs(categories: list[tuple[str, list[list[int]]]]) -> str:
    """Return the general category of each code point, in runs: its letter, then the length.

    The letters are those of `CATEGORY_NAMES`; a length of one is left out.
    """
    ranges = [(first, last, name) for name, pairs in categories for first, last in pairs]
    ranges.append((0xD800, 0xDFFF, "Cs"))
    letters = dict(zip(CATEGORY_NAMES, ascii_letters, strict=False))
    return "".join(
        letters[name.lower()] + (str(last - first + 1) if last > first else "")
        for first, last, name in sorted(ranges)
    )


def folding_runs(orbits: list[list[int]]) -> str:
    """Return the pairs that are equal when case is ignored, in runs.

    Each run is `first distance stride count`, first as its distance from the run before.
    """
    pairs = sorted((one, other - one) for orbit in orbits for one, other in pairwise(orbit))
    runs: list[list[int]] = []
    for one, distance in pairs:
        if runs:
            first, known, stride, number = runs[-1]
            step = one - first - stride * (number - 1)
            if known == distance and (step == stride or (number == 1 and step in (1, 2))):
                runs[-1] = [first, known, step, number + 1]
                continue
        runs.append([one, distance, 1, 1])
    written, before = [], 0
    for first, distance, stride, number in runs:
        written.append(f"{first - before} {distance} {stride} {number}")
        before = first
    return ",".join(written)


def script_ranges(pairs: list[list[int]]) -> str:
    """Return ranges as the lengths of gap and range in turn."""
    numbers, before = [], 0
    for first, last in pairs:
        numbers += [first - before, last - first + 1]
        before = last + 1
    return " ".join(map(str, numbers))


def literal(name: str, text: str) -> str:
    """Return the assignment of a long text."""
    lines = "\n".join(f'    "{line}"' for line in wrap_exactly(text))
    return f"\n{name} = (\n{lines}\n)\n"


def wrap_exactly(text: str) -> list[str]:
    """Return the text in pieces that fit a line."""
    return [text[at : at + 90] for at in range(0, len(text), 90)]


def unicode_data(known: Known) -> str:
    """Return the text of the module, from what `ask_rust` returns."""
    text = _HEAD
    text += literal("CATEGORIES", category_runs(known["categories"]))
    text += literal("FOLDING", folding_runs(known["orbits"]))
    text += "\nSCRIPTS = {\n"
    for name, pairs in known["scripts"]:
        lines = wrap_exactly(script_ranges(pairs))
        line = f'    "{name.lower()}": "{lines[0]}",\n'
        if len(lines) == 1 and len(line.strip()) < LINE_WIDTH - 4:
            text += line
            continue
        written = "".join(f'        "{line}"\n' for line in lines)
        text += f'    "{name.lower()}": (\n{written}    ),\n'
    return text + "}\n"


if __name__ == "__main__":
    WRITTEN.write_text(unicode_data(ask_rust()), encoding="utf-8")
