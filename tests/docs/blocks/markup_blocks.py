"""Blocks of HTML, Markdown and reStructuredText: parsed, and their demos held to what there is.

An answer that a block of HTML shows as recorded is what the recorder would write there.
"""

import json
import re
import sys
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

from docutils import nodes
from docutils.core import publish_doctree
from docutils.parsers.rst import Directive, directives
from docutils.utils import SystemMessage
from markdown_it import MarkdownIt

from tests.support.programs import run
from treeglass.authoring.demo import PRESENTATION, DemoInvalid
from treeglass.authoring.site.directive import DIRECTIVE, parse_directive, split_fence

_ATTRIBUTES = {
    *("tool", "arguments", "src", "integrity", "npm", "github"),
    *("mount-path", "config", "max-output-bytes"),
    *PRESENTATION,
    *("class", "hidden", "id", "lang", "slot", "style", "title"),
}
_UNCHANGED = re.compile(r"block\.html: \d+ unchanged\n")
_VOID = {"base", "br", "hr", "img", "input", "link", "meta", "source", "wbr"}
_CLOSED_BY_THE_NEXT = {"body", "head", "html", "li", "p", "td", "th", "tr"}


class _Page(HTMLParser):
    """Collects the faults of a page, and its scripts."""

    def __init__(self) -> None:
        super().__init__()
        self.faults: list[str] = []
        self.modules: list[str] = []
        self.is_recorded = False
        self._open: list[str] = []
        self._script_type: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == DIRECTIVE:
            self._check_demo(dict(attrs))
        self.is_recorded |= "data-recorded" in dict(attrs)
        if tag == "script":
            self._script_type = dict(attrs).get("type")
        if tag not in _VOID | _CLOSED_BY_THE_NEXT:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in _CLOSED_BY_THE_NEXT:
            return
        if not self._open or self._open.pop() != tag:
            self.faults.append(f"</{tag}> in line {self.getpos()[0]} closes nothing")
        self._script_type = None

    def handle_data(self, data: str) -> None:
        if self._script_type == "application/json":
            json.loads(data)
        elif self._script_type == "module" and data.strip():
            self.modules.append(data)

    def close(self) -> None:
        super().close()
        self.faults += [f"<{tag}> is not closed" for tag in self._open]

    def _check_demo(self, attributes: dict[str, str | None]) -> None:
        unknown = attributes.keys() - _ATTRIBUTES
        self.faults += [f"{name} is no attribute of {DIRECTIVE}" for name in sorted(unknown)]
        if not attributes.get("tool"):
            self.faults.append("a demo names no tool")
        for name in ("arguments", "config"):
            json.loads(attributes.get(name) or "{}")


def run_html(text: str, folder: Path, run_module: Callable[[str], list[str]]) -> list[str]:
    """Return the faults of a page or a part of one; `run_module` runs its module scripts.

    Args:
        text: The block.
        folder: The folder of the trees that its demos name.
        run_module: Returns the faults of a module script.
    """
    page = _Page()
    page.feed(text)
    page.close()
    faults = [*page.faults, *(fault for module in page.modules for fault in run_module(module))]
    return [*faults, *_faults_of_recording(text, folder)] if page.is_recorded else faults


def _faults_of_recording(text: str, folder: Path) -> list[str]:
    (folder / "block.html").write_text(text, "utf-8", newline="")
    recording = (sys.executable, "-m", "treeglass", "record", "--check", "block.html")
    ran = run(*recording, folder=folder)
    said = ran.stdout + ran.stderr
    return [] if ran.returncode == 0 and _UNCHANGED.fullmatch(said) else [said]


def run_markdown(text: str, folder: Path) -> list[str]:
    """Return the faults of the demos of a Markdown page, in either syntax or as elements."""
    faults: list[str] = []
    for token in MarkdownIt("commonmark").parse(text):
        if token.type == "html_block":
            faults += run_html(token.content, folder, lambda _module: [])
        fence = re.fullmatch(rf"\{{?{DIRECTIVE}\}}?\s+(.*)", token.info)
        if token.type == "fence" and fence is not None:
            options, content = split_fence(token.content.splitlines())
            faults += _faults_of_directive(fence[1], options, content)
    return faults


def _faults_of_directive(tool: str, options: dict[str, str], content: str) -> list[str]:
    try:
        parse_directive(tool, options, content, default_tree="trees/shop")
    except DemoInvalid as invalid:
        return [str(invalid)]
    return []


class _Options(dict[str, object]):
    """Takes any option, since the directive's own parser says which there are."""

    def __bool__(self) -> bool:
        return True

    def __getitem__(self, _name: str) -> object:
        return lambda value: value or ""


class _DemoDirective(Directive):
    required_arguments = 1
    has_content = True
    option_spec = _Options()  # type: ignore[assignment]  # the base declares it so

    def run(self) -> list[nodes.Node]:
        """Check what it says, and write nothing."""
        content = "\n".join(self.content)
        for fault in _faults_of_directive(self.arguments[0], self.options, content):
            raise self.error(fault)
        return []


def run_rst(text: str, _folder: Path) -> list[str]:
    """Return the faults of a part of a reStructuredText page."""
    directives.register_directive(DIRECTIVE, _DemoDirective)
    try:
        publish_doctree(text, settings_overrides={"halt_level": 2, "report_level": 5})
    except SystemMessage as fault:
        return [str(fault)]
    return []
