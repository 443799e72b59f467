"""Pages of Markdown as packages hold them: every link leads to a file that is there.

In the READMEs, which npm and PyPI show without the files beside them, links lead to the repository.
The documentation holds each demo as its call and its answer, and nothing that Sphinx alone reads.
"""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING

from build_steps.folders import ROOT, project_version

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

REPOSITORY = "https://github.com/treeglass/treeglass"
"""The address of the repository: provisional, to be set at the first release.

`[project.urls]` in `pyproject.toml` repeats it, and everything else that is published is made
from it.
"""

SITE = re.sub(r"//github\.com/([^/]+)/(.+)", r"//\1.github.io/\2/", REPOSITORY)
"""The address of the published site: GitHub Pages, to which a release uploads it."""

MCP_NAME = "io.github.treeglass/treeglass"
"""The name in the registry of MCP servers, which looks for it in the README and in the package.

`server.json` has it too; like `REPOSITORY`, it is provisional.
"""

AGENT_PAGES = {
    "AGENTS.md": "",
    "skills/treeglass/SKILL.md": (
        "---\n"
        "name: treeglass\n"
        "description: Give an LLM agent bounded filesystem tools over a tree, in a web page, "
        "under Node or in Python. Use when code imports treeglass, mounts a tree for an agent, "
        "or shows an agent's proposed changes.\n"
        "---\n\n"
    ),
}
"""What the npm package holds for coding agents, each with the lines before the page's text."""

_FOR_AGENTS = "docs/coding-agents.md"
_README = "README.md"
_DOCS = ROOT / "docs"
_FROM_CODE = frozenset({"docs/reference/javascript.md", "docs/reference/python.md"})
"""Pages that Sphinx fills from the code; the package has the types and their comments instead."""

_INCLUDE = re.compile(r"```\{include\} (?P<path>\S+)\n(?::.*\n)*```\n")
_FENCE = re.compile(
    r"(?P<marks>^`{3,})(?P<info>[^\n`]*)\n(?P<body>.*?)^(?P=marks)$\n*", re.MULTILINE | re.DOTALL
)
"""A block between fences, with the blank lines after it."""
_LINK = re.compile(r"(?P<label>!?\[[^\]]*\])\((?P<path>[^)#:\s]+)(?P<anchor>#[^)\s]*)?\)")


def page_sources() -> dict[str, Path]:
    """Return the pages and pictures that the npm package holds, by their paths in it.

    A page of the documentation that only includes another file is left out, since the file is
    there, and so is a page that Sphinx fills from the code.
    """
    found = [
        ROOT / _README,
        ROOT / "CHANGELOG.md",
        ROOT / "CONTRIBUTING.md",
        ROOT / "SECURITY.md",
        *(path for path in _DOCS.rglob("*.md") if _DOCS / "trees" not in path.parents),
        *(_DOCS / "pictures").iterdir(),
    ]
    named = {path.relative_to(ROOT).as_posix(): path for path in sorted(found)}
    return {
        name: path
        for name, path in named.items()
        if name not in _FROM_CODE and (path.suffix != ".md" or not included(path))
    }


def npm_page(name: str) -> str:
    """Return one of `page_sources` as the npm package has it; links lead to its files."""
    if name == _README:
        return published_readme((ROOT / name).read_text("utf-8"))
    return _packaged(name, name)


def agent_page(name: str) -> str:
    """Return one of `AGENT_PAGES`: the page for coding agents, with links from its own folder."""
    return AGENT_PAGES[name] + _packaged(_FOR_AGENTS, name)


def _packaged(source: str, place: str) -> str:
    held = page_sources()
    folder = posixpath.dirname(place)

    def link(label: str, target: str, anchor: str) -> str:
        if target not in held:
            return without_link(label, target)
        return f"{label}({posixpath.relpath(target, folder or '.')}{anchor})"

    return page_with_links(source, link)


def page_with_links(name: str, link: Callable[[str, str, str], str]) -> str:
    """Return a page as readers of Markdown get it: each demo is its call and its answer.

    A link is written anew from its label in brackets, its target from the root of the repository,
    and its anchor.
    """
    # Late: it imports the wheel's sources, and most commands must run if these are broken.
    from build_steps.npm.recorded_demos import packaged_block  # noqa: PLC0415

    folder = posixpath.dirname(name)
    text = (ROOT / name).read_text("utf-8")
    page = _FENCE.sub(lambda block: packaged_block(block, ROOT / folder), text).rstrip("\n") + "\n"
    return _with_links(page, folder, link)


def published_readme(readme: str) -> str:
    """Return a README with absolute links: to the files in the repository at this version's tag."""
    tag = f"v{project_version()}"

    def link(label: str, target: str, anchor: str) -> str:
        # Of a picture, GitHub's `blob` is a page around it.
        kind = "raw" if label.startswith("!") else "blob"
        return f"{label}({REPOSITORY}/{kind}/{tag}/{target}{anchor})"

    return _with_links(readme, "", link)


def project_addresses() -> dict[str, str]:
    """Return the addresses that `[project.urls]` in `pyproject.toml` has, by their labels."""
    return {
        "Homepage": f"{REPOSITORY}#readme",
        "Repository": REPOSITORY,
        "Issues": f"{REPOSITORY}/issues",
    }


def _with_links(text: str, folder: str, link: Callable[[str, str, str], str]) -> str:
    def replaced(found: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(folder, found["path"]))
        page = ROOT / target
        real = included(page) if page.suffix == ".md" else None
        return link(found["label"], real or target, found["anchor"] or "")

    written, end = "", 0
    for fence in _FENCE.finditer(text):
        written += _LINK.sub(replaced, text[end : fence.start()]) + fence[0]
        end = fence.end()
    return written + _LINK.sub(replaced, text[end:])


def included(page: Path) -> str | None:
    """Return the file that is all that a page holds, from the root; None for every other page."""
    found = _INCLUDE.fullmatch(page.read_text("utf-8"))
    return found and (page.parent / found["path"]).resolve().relative_to(ROOT).as_posix()


def without_link(label: str, target: str) -> str:
    """Return what stands for a link to a file that is not there: its words, and the path."""
    text = label.strip("![]")
    # What is built of the sources, such as the playground, has no place there.
    return f"{text} (`{target}` in the repository)" if (ROOT / target).exists() else text
