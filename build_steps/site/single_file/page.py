"""The playground's page, with everything inside that it would fetch."""

from __future__ import annotations

import base64
import hashlib
import html
import re
from typing import TYPE_CHECKING
from urllib.parse import quote

from build_steps.failure import BuildFailed
from build_steps.folders import PLAYGROUND, ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

_PAGE = (PLAYGROUND / "index.html").relative_to(ROOT).as_posix()

_STYLESHEET = re.compile(r'\s*<link rel="stylesheet" href="\./([^"]+)">')
_ICON = re.compile(r'(<link rel="icon" href=")\./([^"]+)(")')
_SCRIPT = re.compile(r'\s*<script type="module" src="\./main\.js"></script>')
_POLICY = re.compile(r'(http-equiv="Content-Security-Policy"\s+content=")([^"]+)(")')
_NEIGHBOUR = re.compile(r' (?:src|href)="\.[^"]*"')

_END_OF_SCRIPT = re.compile(r"</script|<!--", re.IGNORECASE)


def render_page(
    site: Path, blocks: Iterable[str], *, script: str, tree_name: str, version: str
) -> str:
    """Return the page of a built site as one that fetches nothing, with the blocks at its end.

    It shows the name of the tree inside, and offers no other tree.
    """
    text = (site / "index.html").read_text("utf-8")
    # The same text to JavaScript, in a string and in a regular expression.
    script = _inline(script.replace("<!--", r"\x3c!--"))
    style = "".join("\n" + (site / it).read_text("utf-8") for it in _STYLESHEET.findall(text))
    text = _STYLESHEET.sub("", text)
    text = _replaced(text, _ICON, lambda it: f"{it[1]}{_icon_address(site / it[2])}{it[3]}")
    text = _replaced(text, _POLICY, lambda it: f"{it[1]}{_policy(it[2], script, style)}{it[3]}")
    neighbours = set(_NEIGHBOUR.findall(_SCRIPT.sub("", text)))
    if neighbours:
        raise BuildFailed(
            f"A single file has no neighbours, but its page names {sorted(neighbours)}: "
            "teach build_steps/site/single_file/page.py what to do with them."
        )
    named = f'<html data-tree-name="{html.escape(tree_name)}" '
    text = _replaced(text, re.compile("<html "), lambda _: named)
    head = (
        f'\n    <meta name="generator" content="treeglass {version}">'
        f'\n    <style>{style}</style>\n    <script type="module">{script}</script>'
    )
    text = _replaced(text, _SCRIPT, lambda _: head)
    # The longest part comes last: a browser shows the page before it has read it.
    data = "".join(f"{block}\n" for block in blocks)
    return _replaced(text, re.compile("  </body>"), lambda _: f"{data}  </body>")


def _policy(served: str, script: str, style: str) -> str:
    """Return the served page's policy, changed to allow hashes and no files of a server."""
    here = {
        "script-src": f"{_hash(script)} blob:",
        "style-src": _hash(style),
        "worker-src": "blob:",
    }
    directives = []
    for directive in served.split("; "):
        name, *sources = directive.split(" ")
        # The worker's script is a Blob of this page, whose address nothing could check.
        if name == "require-trusted-types-for":
            continue
        allowed = [here.get(name, "") if source == "'self'" else source for source in sources]
        directives.append(" ".join([name, *filter(None, allowed)]))
    return "; ".join(directives)


def _replaced(text: str, pattern: re.Pattern[str], by: Callable[[re.Match[str]], str]) -> str:
    changed, count = pattern.subn(by, text)
    if count != 1:
        raise BuildFailed(
            f"{_PAGE} has {pattern.pattern!r} {count} times, not once: "
            "teach build_steps/site/single_file/page.py its new form."
        )
    return changed


def data_block(text: str, **attributes: str) -> str:
    """Return a text as a script element that no browser runs."""
    written = "".join(f' {name}="{html.escape(value)}"' for name, value in attributes.items())
    return f'<script type="text/plain"{written}>{_inline(text)}</script>'


def _inline(text: str) -> str:
    """Return a text, checked to be safe in a script element."""
    if found := _END_OF_SCRIPT.search(text):
        raise BuildFailed(
            f"A script of the single file holds {found[0]!r}, which HTML would take for its own: "
            "write it in two parts."
        )
    return text


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


def _icon_address(icon: Path) -> str:
    return f"data:image/svg+xml,{quote(icon.read_text('utf-8'))}"
