"""`treeglass record`: the command that fills answers into pages."""

from __future__ import annotations

import difflib
import os
import re
import stat
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from treeglass.authoring.pages.found_demo import PageInvalid
from treeglass.authoring.pages.page_filling import (
    HTML_SUFFIXES,
    MARKDOWN_SUFFIXES,
    DemoOutcome,
    Outcome,
    RecordedPage,
    record_page,
)
from treeglass.command.terminal import log_line, tell
from treeglass.errors import WorkspaceInvalid
from treeglass.escaping import escape_path

if TYPE_CHECKING:
    import argparse


_LINE_END = re.compile(r"\r\n?")
_COUNTED: Sequence[Outcome] = ("recorded", "unchanged", "not recordable", "invalid")


def add_record_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what `treeglass record` takes."""
    parser.description = (
        "Answer the demos of HTML and Markdown pages, and write each answer between the tags of "
        "its <treeglass-demo>, where readers see it before anything runs. Nothing else of a page "
        "changes, and nothing is fetched."
    )
    parser.add_argument(
        "pages",
        type=Path,
        nargs="+",
        metavar="PAGE",
        help="ends in .html or .htm, .md or .markdown",
    )
    parser.add_argument(
        "--check",
        action="store_true",
        help="write nothing; print what is stale as a diff and exit with 1",
    )
    parser.add_argument(
        "--root",
        type=Path,
        metavar="DIR",
        help="the folder that the site serves as /, and that every src stays in; by default the "
        "folder of each page",
    )


def run_record(options: argparse.Namespace) -> int:
    """Record the pages one by one, and print the outcome of each on stdout.

    Returns 1 if a demo or a page is invalid, or with `--check` an answer is stale; else 0. Nothing
    is written before `WorkspaceInvalid` refuses an argument.
    """
    pages: list[Path] = options.pages
    root: Path | None = options.root
    for page in pages:
        _require_page(page, root)
    if any(page.suffix.lower() in MARKDOWN_SUFFIXES for page in pages):
        _require_markdown()
    codes = [_record(page, root or page.parent, is_check=options.check) for page in pages]
    return max(codes)


def _require_page(page: Path, root: Path | None) -> None:
    if page.suffix.lower() not in HTML_SUFFIXES | MARKDOWN_SUFFIXES:
        raise WorkspaceInvalid(f"{str(page)!r} is not a page: name files in .html or .md")
    if not page.is_file():
        what = "is not a file" if page.exists() else "does not exist"
        raise WorkspaceInvalid(f"{str(page)!r} {what}: name the page to record")
    if root is None:
        return
    if not root.is_dir():
        raise WorkspaceInvalid(f"--root {str(root)!r} is not a directory: name the site's folder")
    # The addresses of a page behind a link start from the folder of the link.
    places = (page.resolve(), page.parent.resolve())
    if not all(place.is_relative_to(root.resolve()) for place in places):
        raise WorkspaceInvalid(
            f"{str(page)!r} is outside of --root {str(root)!r}: name one above it"
        )


def _require_markdown() -> None:
    try:
        import_module("treeglass.authoring.pages.markdown_finder")
    except ModuleNotFoundError as error:
        if error.name != "markdown_it":
            raise
        raise WorkspaceInvalid(
            "demos in Markdown are found with the package markdown-it-py: install "
            "treeglass[markdown]"
        ) from None


def _record(page: Path, root: Path, *, is_check: bool) -> int:
    try:
        recorded = record_page(page, root)
    except PageInvalid as error:
        tell(f"{escape_path(str(page))}: {error}")
        return 1
    is_stale = recorded.after != recorded.before
    if is_stale and is_check:
        _print(*_diff(page, recorded))
    elif is_stale:
        _replace(page, recorded.after)
    _tell(page, recorded.outcomes, is_check=is_check)
    is_invalid = any(outcome.outcome == "invalid" for outcome in recorded.outcomes)
    return int(is_invalid or (is_stale and is_check))


def _tell(page: Path, outcomes: Sequence[DemoOutcome], *, is_check: bool) -> None:
    shown = escape_path(str(page))
    kinds = [outcome.outcome for outcome in outcomes]
    words = {"recorded": "stale"} if is_check else {}
    counts = [f"{kinds.count(kind)} {words.get(kind, kind)}" for kind in _COUNTED if kind in kinds]
    _print(f"{shown}: {', '.join(counts) or 'no demo'}")
    for outcome in outcomes:
        place = f"{shown}:{outcome.line}: {outcome.tool or 'a demo'}"
        if outcome.reason:
            _print(f"{place}: {outcome.outcome}: {outcome.reason}")
        elif outcome.is_error and outcome.outcome == "recorded":
            _print(f"{place}: the tool answers with an error")


def _diff(page: Path, recorded: RecordedPage) -> Iterator[str]:
    shown = escape_path(str(page))
    return difflib.unified_diff(
        _shown_lines(recorded.text_before),
        _shown_lines(recorded.text_after),
        fromfile=shown,
        tofile=f"{shown} (recorded)",
        lineterm="",
    )


def _shown_lines(text: str) -> list[str]:
    # Safe before they are compared: the diff puts a space before a line, and nothing else.
    return [log_line(line) for line in _LINE_END.sub("\n", text).removesuffix("\n").split("\n")]


def _replace(page: Path, content: bytes) -> None:
    # Written beside the page and renamed at the end, so that no page is ever half written. For a
    # link, beside its target, so that the link stays.
    target = page.resolve()
    unfinished = target.with_name(f".{target.name}.{os.urandom(4).hex()}.part")
    try:
        with unfinished.open("xb") as stream:
            stream.write(content)
        unfinished.chmod(stat.S_IMODE(target.stat().st_mode))
        unfinished.replace(target)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


def _print(*lines: str) -> None:
    # In UTF-8, whatever the locale. An answer may hold lines of a hostile tree.
    text = "".join(f"{log_line(line)}\n" for line in lines)
    sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))
    sys.stdout.buffer.flush()
