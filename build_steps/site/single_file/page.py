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


class Page:
    """A page of HTML that fetches nothing."""

    def __init__(self, site: Path, *, script: str) -> None:
        """Read the page and its styles from the built site."""
        self._text = (site / "index.html").read_text("utf-8")
        # The same text to JavaScript, in a string and in a regular expression.
        self._script = _inline(script.replace("<!--", r"\x3c!--"))
        self._style = ""
        self._take_styles(site)
        self._replace(_ICON, lambda found: f"{found[1]}{_icon_address(site / found[2])}{found[3]}")
        self._replace(_POLICY, lambda found: f"{found[1]}{self._policy(found[2])}{found[3]}")
        neighbours = set(_NEIGHBOUR.findall(_SCRIPT.sub("", self._text)))
        if neighbours:
            raise BuildFailed(
                f"A single file has no neighbours, but its page names {sorted(neighbours)}: "
                "teach build_steps/site/single_file/page.py what to do with them."
            )

    def name_tree(self, name: str) -> None:
        """Write the name of the tree inside into the page, which then offers no other."""
        shown = html.escape(name)
        self._replace(re.compile("<html "), lambda _: f'<html data-tree-name="{shown}" ')

    def render(self, blocks: Iterable[str], *, version: str) -> str:
        """Return the whole page, with the blocks at its end."""
        style = f"\n    <style>{self._style}</style>"
        script = f'\n    <script type="module">{self._script}</script>'
        # The longest part comes last: a browser shows the page before it has read it.
        data = "".join(f"{block}\n" for block in blocks)
        head = f'\n    <meta name="generator" content="treeglass {version}">{style}'
        self._replace(_SCRIPT, lambda _: f"{head}{script}")
        self._replace(re.compile("  </body>"), lambda _: f"{data}  </body>")
        return self._text

    def _take_styles(self, site: Path) -> None:
        names = _STYLESHEET.findall(self._text)
        style = "\n".join((site / name).read_text("utf-8") for name in names)
        self._style = f"\n{style}"
        self._text = _STYLESHEET.sub("", self._text)

    def _policy(self, served: str) -> str:
        """Return the served page's policy, changed to allow hashes and no files of a server."""
        here = {
            "script-src": f"{_hash(self._script)} blob:",
            "style-src": _hash(self._style),
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

    def _replace(self, pattern: re.Pattern[str], by: Callable[[re.Match[str]], str]) -> None:
        self._text, count = pattern.subn(by, self._text)
        if count != 1:
            raise BuildFailed(
                f"{_PAGE} has {pattern.pattern!r} {count} times, not once: "
                "teach build_steps/site/single_file/page.py its new form."
            )


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
