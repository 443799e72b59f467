"""The demos of the documentation as the npm package holds them: each call, and its answer."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from build_steps.folders import ROOT
from build_steps.packaged_pages import FENCE
from treeglass.authoring.demo import NotRecordable
from treeglass.authoring.recording import record_answer
from treeglass.authoring.site.directive import (
    DIRECTIVE,
    describe_call,
    parse_directive,
    split_fence,
)

if TYPE_CHECKING:
    from pathlib import Path

_DOCS = ROOT / "docs"
_UNRECORDED = "A browser fetches this tree, so no answer is recorded here."


def with_answers(text: str, folder: Path) -> str:
    """Return a page with calls and answers in place of its demos, and without hidden contents.

    Args:
        text: The page.
        folder: The folder of the page, where the paths of its trees start.

    Raises:
        DemoInvalid: A demo is wrong, or its tree is missing.
    """

    def replaced(fence: re.Match[str]) -> str:
        directive, _, argument = fence["info"].partition(" ")
        if directive == f"{{{DIRECTIVE}}}":
            return _recorded(argument, fence["body"], folder)
        is_hidden = directive == "{toctree}" and "\n:hidden:\n" in fence["body"]
        return "" if is_hidden else fence[0]

    return FENCE.sub(replaced, text).rstrip("\n") + "\n"


def _recorded(tool: str, body: str, folder: Path) -> str:
    """Return a demo as its label, its call and its answer, as books have it."""
    options, content = split_fence(body.splitlines())
    directive = parse_directive(tool, options, content)
    demo, path = directive.demo, directive.tree_path
    tree = None
    if path is not None:
        tree = _DOCS / path.lstrip("/") if path.startswith("/") else folder / path
    label = demo.presentation.get("label")
    call = (f"{label}:\n\n" if label else "") + _block(describe_call(demo))
    try:
        return call + _block(record_answer(demo, tree, root=_DOCS).content)
    except NotRecordable:
        return f"{call}{_UNRECORDED}\n\n"


def _block(text: str) -> str:
    longest = max(map(len, re.findall("`{3,}", text)), default=2)
    marks = "`" * (longest + 1)
    return f"{marks}text\n{text}\n{marks}\n\n"
