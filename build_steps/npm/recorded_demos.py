"""The demos of the documentation as the npm package holds them: each call, and its answer."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from build_steps.folders import ROOT
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


def packaged_block(block: re.Match[str], folder: Path) -> str:
    """Return a block of a page as the package has it: a demo as its call and its answer.

    The match has the groups `info` and `body`; the paths of trees start from the page's folder.
    """
    directive, _, argument = block["info"].partition(" ")
    if directive == f"{{{DIRECTIVE}}}":
        return _recorded(argument, block["body"], folder)
    is_hidden = directive == "{toctree}" and "\n:hidden:\n" in block["body"]
    return "" if is_hidden else block[0]


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
