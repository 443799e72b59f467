"""Pages of Markdown as packages hold them: every link leads to a file that is there."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING

from build_steps.folders import ROOT, project_version

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_INCLUDE = re.compile(r"```\{include\} (?P<path>\S+)\n(?::.*\n)*```\n")
_FENCE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(?P<label>!?\[[^\]]*\])\((?P<path>[^)#:\s]+)(?P<anchor>#[^)\s]*)?\)")


def page_sources() -> dict[str, Path]:
    """Return the pages and pictures that the npm package holds, by their paths in it.

    A page of the documentation that only includes another file is left out; the file is there.
    """
    docs = ROOT / "docs"
    found = [
        ROOT / "README.md",
        ROOT / "CHANGELOG.md",
        ROOT / "CONTRIBUTING.md",
        ROOT / "SECURITY.md",
        *(path for path in docs.rglob("*.md") if docs / "trees" not in path.parents),
        *(docs / "pictures").iterdir(),
    ]
    return {
        path.relative_to(ROOT).as_posix(): path
        for path in sorted(found)
        if path.suffix != ".md" or not _included(path)
    }


def npm_page(name: str) -> str:
    """Return a page as the npm package holds it; links lead to files of the package.

    Args:
        name: One of `page_sources`, from the root of the repository.
    """
    held = page_sources()
    folder = posixpath.dirname(name)

    def link(label: str, target: str, anchor: str) -> str:
        if target not in held:
            return _without_link(label, target)
        return f"{label}({posixpath.relpath(target, folder or '.')}{anchor})"

    return _with_links((ROOT / name).read_text("utf-8"), folder, link)


def wheel_page(readme: str) -> str:
    """Return a README as the page of the wheel, which has no files beside it.

    Links lead to the files of the npm package of the same version, by a host that serves each.
    """
    held = page_sources()

    def link(label: str, target: str, anchor: str) -> str:
        if target not in held:
            return _without_link(label, target)
        return f"{label}({npm_address()}{target}{anchor})"

    return _with_links(readme, "", link)


def npm_address() -> str:
    """Return the address of the published npm package of this version, with a slash at its end."""
    return f"https://cdn.jsdelivr.net/npm/treeglass@{project_version()}/"


def _with_links(text: str, folder: str, link: Callable[[str, str, str], str]) -> str:
    def replaced(found: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(folder, found["path"]))
        page = ROOT / target
        included = _included(page) if page.suffix == ".md" else None
        return link(found["label"], included or target, found["anchor"] or "")

    parts = _FENCE.split(text)
    parts[::2] = [_LINK.sub(replaced, part) for part in parts[::2]]
    return "".join(parts)


def _included(page: Path) -> str | None:
    """Return the file that is all that a page holds, from the root; None for every other page."""
    found = _INCLUDE.fullmatch(page.read_text("utf-8"))
    return found and (page.parent / found["path"]).resolve().relative_to(ROOT).as_posix()


def _without_link(label: str, target: str) -> str:
    text = label.strip("![]")
    # What is built of the sources, such as the playground, has no place there.
    return f"{text} (`{target}` in the repository)" if (ROOT / target).exists() else text
