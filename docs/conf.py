"""How Sphinx makes the documentation; `build_steps/site/documentation.py` runs it."""
# ruff: noqa: INP001  # Sphinx runs this file by its path

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from docutils import nodes
from pydantic import BaseModel
from pygments.lexers.html import HtmlLexer  # type: ignore[import-untyped]  # it has no types
from pygments.lexers.javascript import (  # type: ignore[import-untyped]  # as above
    JavascriptLexer,
)
from sphinx import addnodes
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.ext.napoleon import Config as NapoleonConfig
from sphinx.ext.napoleon.docstring import GoogleDocstring
from sphinx.highlighting import lexers
from sphinx.util.nodes import make_refnode

import treeglass
from build_steps.packaged_pages import REPOSITORY, SITE
from build_steps.site.stackblitz import EXAMPLES, project_form

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

_REPOSITORY = Path(__file__).resolve().parent.parent
_PLAYGROUND = _REPOSITORY / "web" / "src" / "playground"

project = "treeglass"
copyright = "the authors of treeglass"  # noqa: A001  # Sphinx's name
version = release = treeglass.__version__

extensions = [
    "build_steps.site.sphinx_extension",
    "myst_parser",
    "sphinx.ext.autodoc",
    "treeglass.sphinx",
]

# The playground's runtime, beside which the documentation is served.
treeglass_script = "../element.js"

exclude_patterns = ["_templates", "trees/**"]
nitpicky = True
# In signatures: types of other packages, and names for a few words or numbers.
nitpick_ignore_regex = [
    ("py:.*", r"(collections|datetime|os|pathlib|pydantic|typing)\..*"),
    ("py:class", "DataFamily|EntryKind|EnvelopeStatus|ErrorCode"),
    ("py:class", "Family|NamedTool|OtherTool|PublicName|RiskLevel|TruncationDirection"),
    ("py:class", "BaseState|By|Decision|Mark|Node|NodeKind|OperationName|Record|Step"),
    ("py:class", "Field|PositiveInt|Seconds"),
    ("py:class", r"ArgsT|HostFileSystem|ToolArguments|Tree|(Callable|Mapping|dict|tuple)\[.*"),
]
myst_heading_anchors = 6
myst_enable_extensions = ["colon_fence"]
highlight_language = "text"
# Pygments has no lexer for these languages.
lexers.update(jsx=JavascriptLexer(), svelte=HtmlLexer(), vue=HtmlLexer())

autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True

html_theme = "furo"
html_title = "treeglass"
# Each page names its own address here as the canonical one, wherever a copy is served.
html_baseurl = f"{SITE}docs/"
html_favicon = os.path.relpath(_PLAYGROUND / "favicon.svg", Path(__file__).parent)
html_static_path = ["_static"]
html_css_files = ["theme.css", "treeglass.css"]
html_js_files = [("page.js", {"defer": "defer"})]
templates_path = ["_templates"]
html_copy_source = html_show_sourcelink = False
# The page `search` is ours, and finds what an index would list.
html_additional_pages = {"search": "search.html"}
html_use_index = html_domain_indices = False
html_context = {"repository": REPOSITORY}
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "sidebar/project.html",
        "sidebar/search.html",
        "sidebar/scroll-start.html",
        "sidebar/playground.html",
        "sidebar/navigation.html",
        "sidebar/scroll-end.html",
    ]
}


_TAKEN_OVER = {
    "color-background-primary": "panel",
    "color-background-secondary": "paper",
    "color-background-hover": "wash",
    "color-background-border": "hairline",
    "color-foreground-primary": "ink",
    "color-foreground-secondary": "dim",
    "color-foreground-muted": "dim",
    "color-foreground-border": "edge",
    "color-api-background": "paper",
    "color-api-background-hover": "wash",
    "color-api-keyword": "dim",
    "color-api-name": "accent",
    "color-api-overall": "dim",
    "color-api-paren": "dim",
    "color-api-pre-name": "dim",
    "color-brand-primary": "accent",
    "color-brand-content": "accent",
    "color-brand-visited": "accent",
    "color-inline-code-background": "paper",
    "color-code-background": "paper",
    "color-code-foreground": "ink",
    "color-highlight-on-target": "wash",
    "font-stack": "ui",
    "font-stack--monospace": "mono",
}
"""Variables of Furo, each with the playground's of the same meaning."""


_LIGHT_AND_DARK = re.compile(r"light-dark\(([^,]+), ([^)]+)\)")


def _playground_look(*, is_dark: bool) -> str:
    """Return the values of the playground's styles for a theme, under Furo's names."""
    styles = (_PLAYGROUND / "styles" / "base.css").read_text("utf-8")
    rule = styles.split("\n:root {\n", 1)[1].split("}", 1)[0]
    said = {
        name: _LIGHT_AND_DARK.sub(r"\2" if is_dark else r"\1", value)
        for name, value in re.findall(r"--([\w-]+):\s+([^;]+);", rule)
        if not is_dark or _LIGHT_AND_DARK.fullmatch(value)
    }
    found = {name: said[ours] for name, ours in _TAKEN_OVER.items() if ours in said}
    return "".join(f"--{name}: {' '.join(value.split())};\n" for name, value in found.items())


def _write_theme(app: Sphinx) -> None:
    """Write the colours as a style sheet: Furo's own inline style is refused by a strict policy."""
    dark = _playground_look(is_dark=True)
    folder = Path(app.outdir, "_static")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "theme.css").write_text(
        f"body {{\n{_playground_look(is_dark=False)}}}\n"
        f'@media not print {{\nbody[data-theme="dark"] {{\n{dark}}}\n'
        "@media (prefers-color-scheme: dark) {\n"
        f'body:not([data-theme="light"]) {{\n{dark}}}\n}}\n}}\n',
        encoding="utf-8",
    )


_ROOT_PAGES = {
    "CHANGELOG.md": "changes",
    "CONTRIBUTING.md": "contributing",
    "README.md": "index",
    "SECURITY.md": "security",
}


def _keep_links_in_the_site(app: Sphinx, document: nodes.document) -> None:
    """Turn what links to the repository around the documentation into something that is here.

    The pages are read on a code host as well, where such a link leads to a source. In the site a
    file at the root is a page of its own, and any other link becomes its words and its path, with
    a button below if it names one of `EXAMPLES`.
    """
    for link in list(document.findall(addnodes.pending_xref)):
        if link["reftype"] != "myst" or link["refdomain"]:
            continue
        page_folder = os.path.dirname(app.env.docname)  # noqa: PTH120  # of a name and not a file
        path, _, anchor = link["reftarget"].partition("#")
        place = os.path.normpath(os.path.join(page_folder, path))  # noqa: PTH118  # same
        if not place.startswith(f"..{os.sep}"):
            continue
        name = place.replace(os.sep, "/").removeprefix("../")
        if name in _ROOT_PAGES:
            link["refdomain"] = "doc"
            link["reftarget"] = _ROOT_PAGES[name]
            link["reftargetid"] = anchor or None
        elif name == "index.html":
            # The playground, beside which the documentation is served.
            link.replace_self(nodes.reference("", "", *link.children, refuri=link["reftarget"]))
        else:
            shown: list[nodes.Node] = list(link.children)
            if link.astext() != name:
                shown += [nodes.Text(" ("), nodes.literal(name, name), nodes.Text(")")]
            folder, _, example = name.rpartition("/")
            if folder == "web/examples" and example in EXAMPLES:
                paragraph = link.parent
                button = nodes.raw("", project_form(example), format="html")
                paragraph.parent.insert(paragraph.parent.index(paragraph) + 1, button)
            link.replace_self(shown)


def _read_google_style(
    _app: Sphinx, what: str, _name: str, _documented: object, _options: object, lines: list[str]
) -> None:
    """Turn the sections of a docstring into fields.

    Napoleon as an extension would also take the first words of an attribute's docstring for its
    type, where a colon follows them, and look into models that are not built yet.
    """
    if what == "module":
        # It speaks to who reads the source; the page has an introduction of its own.
        lines.clear()
    elif what not in {"attribute", "data", "property"}:
        settings = NapoleonConfig()
        docstring = GoogleDocstring(lines, settings)  # type: ignore[arg-type]  # as in its examples
        lines[:] = docstring.lines()


def _leave_out_signatures_of_models(
    _app: Sphinx, _what: str, _name: str, documented: object, *_: object
) -> tuple[str, str] | None:
    # It would hold every default of every table in it; the fields stand below.
    is_model = isinstance(documented, type) and issubclass(documented, BaseModel)
    return ("", "") if is_model else None


def _find_by_last_name(
    app: Sphinx, env: BuildEnvironment, link: addnodes.pending_xref, words: nodes.TextElement
) -> nodes.reference | None:
    """Find what a docstring or an annotation names without its module, as the source does."""
    if link.get("refdomain") != "py":
        return None
    name = link["reftarget"].rpartition(".")[2]
    objects = env.domains.python_domain.objects
    found = {full: entry for full, entry in objects.items() if full.rpartition(".")[2] == name}
    places = {(entry.docname, entry.node_id) for entry in found.values() if not entry.aliased}
    if len(places) != 1:
        return None
    docname, anchor = places.pop()
    return make_refnode(app.builder, link["refdoc"], docname, anchor, words, name)


def _leave_out_the_search_of_sphinx(app: Sphinx) -> None:
    if isinstance(app.builder, StandaloneHTMLBuilder):
        app.builder.search = False


def setup(app: Sphinx) -> None:
    """Register what happens to links, to docstrings and to the look."""
    app.connect("builder-inited", _leave_out_the_search_of_sphinx)
    app.connect("builder-inited", _write_theme)
    app.connect("doctree-read", _keep_links_in_the_site)
    app.connect("missing-reference", _find_by_last_name)
    app.connect("autodoc-process-docstring", _read_google_style)
    app.connect("autodoc-process-signature", _leave_out_signatures_of_models)
