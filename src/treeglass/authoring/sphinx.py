"""The Sphinx extension `treeglass.sphinx`: live tool demos in reStructuredText and MyST alike.

Pages for browsers get the element with its recorded answer; every other output gets the answer
alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.errors import ConfigError
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from treeglass import __version__
from treeglass.authoring.demo import DemoInvalid
from treeglass.authoring.site.directive import DIRECTIVE, OPTIONS, describe_call, parse_directive
from treeglass.authoring.site.page_demo import PageDemo, record_page_demo
from treeglass.authoring.site.site_settings import SiteSettings, page_in_tree
from treeglass.authoring.site.tree_folder import TREES, TreeFolder

if TYPE_CHECKING:
    from docutils.nodes import Node
    from sphinx.application import Sphinx
    from sphinx.builders import Builder
    from sphinx.config import Config
    from sphinx.environment import BuildEnvironment
    from sphinx.util.typing import ExtensionMetadata
    from sphinx.writers.html5 import HTML5Translator

_logger = logging.getLogger(__name__)


class treeglass_demo(nodes.General, nodes.Element):  # noqa: N801  # as docutils names nodes
    """A demo; its children are for outputs that run no script."""


@dataclass(slots=True)
class _PageTrees:
    """The trees of one page's demos; a page is read again when one of them changes."""

    version: str = __version__
    fingerprints: dict[Path, str] = field(default_factory=dict)
    placed: set[str] = field(default_factory=set)
    """Names in the folder of trees."""


class DemoDirective(SphinxDirective):
    """The directive `treeglass-demo`: a tool, options, and the arguments as content."""

    has_content = True
    required_arguments = 1
    option_spec: ClassVar[dict[str, Any]] = {
        **dict.fromkeys(OPTIONS, directives.unchanged),
        "name": directives.unchanged,
        "class": directives.class_option,
    }

    def run(self) -> list[Node]:
        """Return the demo; warn about an invalid one and return nothing."""
        own = {name: value or "" for name, value in self.options.items() if name in OPTIONS}
        pages = _pages(self.env).setdefault(self.env.docname, _PageTrees())
        try:
            directive = parse_directive(
                self.arguments[0],
                own,
                "\n".join(self.content),
                default_tree=self.config.treeglass_tree,
            )
            trees = _trees(self.env)
            source = None
            if directive.tree_path is not None:
                source = Path(self.env.relfn2path(directive.tree_path)[1])
                trees.require_apart(source, directive.tree_path)
                self._depend_on(source, pages, trees)
            demo = record_page_demo(directive, source, trees)
        except DemoInvalid as error:
            self._warn(str(error))
            return []
        if demo.tree is not None:
            pages.placed.add(demo.tree.top)
        for sentence in demo.warnings:
            self._warn(sentence)
        return [self._node(demo)]

    def _depend_on(self, source: Path, pages: _PageTrees, trees: TreeFolder) -> None:
        pages.fingerprints[source] = trees.fingerprint(source)
        for file in trees.source_files(source):
            self.env.note_dependency(str(file))
        self._point_out_pages(source)

    def _point_out_pages(self, source: Path) -> None:
        env = self.env
        pages = ((name, Path(env.doc2path(name)).resolve()) for name in env.found_docs)
        if found := page_in_tree(source, Path(env.srcdir).resolve(), pages):
            way, page = found
            self._warn(
                f"tree {way} holds {page}, which Sphinx makes a page of; "
                f"add {way!r} to exclude_patterns in conf.py"
            )

    def _warn(self, message: str) -> None:
        _logger.warning(
            "%s: %s", DIRECTIVE, message, location=self.get_location(), type="treeglass"
        )

    def _node(self, demo: PageDemo) -> Node:
        node = treeglass_demo("", *_static(demo), page_demo=demo)
        node["classes"] += self.options.get("class", [])
        self.set_source_info(node)
        self.add_name(node)
        return node


def _static(demo: PageDemo) -> list[Node]:
    if demo.recording is None:
        return [nodes.paragraph("", demo.unrecorded)]
    # Not docutils' caption: `numfig` would number it, on pages for browsers too.
    label = demo.demo.presentation.get("label")
    call = nodes.literal("", describe_call(demo.demo))
    caption = nodes.paragraph("", "", nodes.Text(label) if label else call)
    answer = nodes.literal_block("", demo.recording.content, language="none")
    return [nodes.container("", caption, answer, classes=["treeglass"])]


def _pages(env: BuildEnvironment) -> dict[str, _PageTrees]:
    if not hasattr(env, "treeglass_pages"):
        env.treeglass_pages = {}  # type: ignore[attr-defined]  # Sphinx pickles it with the rest
    pages: dict[str, _PageTrees] = env.treeglass_pages  # type: ignore[attr-defined]
    return pages


def _trees(env: BuildEnvironment) -> TreeFolder:
    doctrees, output = Path(env.doctreedir), env.treeglass_output  # type: ignore[attr-defined]  # `_note_output`
    return _tree_folder(doctrees, Path(env.srcdir), Path(output))


@cache
def _tree_folder(doctrees: Path, sources: Path, output: Path) -> TreeFolder:
    # Beside the doctrees, since all builders share what was read.
    return TreeFolder(doctrees / "treeglass-trees", sources, (doctrees, output))


def _note_output(app: Sphinx) -> None:
    app.env.treeglass_output = str(app.outdir)  # type: ignore[attr-defined]  # as the pages are


def _shows_elements(builder: Builder) -> bool:
    # Books and help files are HTML too, but run no scripts.
    return isinstance(builder, StandaloneHTMLBuilder) and not builder.embedded


def _write_element(translator: HTML5Translator, node: treeglass_demo) -> None:
    builder = translator.builder
    to_root = builder.imgpath.removesuffix("_images")
    head = _settings(builder).head(to_root)
    if head not in translator.body:
        translator.body.append(head)
    demo: PageDemo = node["page_demo"]
    element = demo.render(to_root)
    translator.body.append(translator.starttag(node, "div", CLASS="treeglass") + element)
    translator.body.append("\n</div>\n")
    raise nodes.SkipNode


def _write_answers_alone(app: Sphinx, doctree: nodes.document, _docname: str) -> None:
    if _shows_elements(app.builder):
        return
    for node in list(doctree.findall(treeglass_demo)):
        # Its children take over its ids and classes.
        node.replace_self(node.children)


def _settings(of: Sphinx | Builder) -> SiteSettings:
    config = of.config
    return SiteSettings(
        Path(of.confdir), config.treeglass_package, config.treeglass_script, config.treeglass_tree
    )


def _exclude_default_tree(app: Sphinx, config: Config) -> None:
    if (tree := _settings(app).excluded) is not None:
        config.exclude_patterns.append(tree)


def _check_options(app: Sphinx) -> None:
    if not _shows_elements(app.builder):
        return
    try:
        warning = _settings(app).check()
    except DemoInvalid as error:
        raise ConfigError(f"treeglass_package: {error}") from None
    if warning is not None:
        _logger.warning("treeglass_package: %s", warning, type="treeglass")


def _outdated(
    _app: Sphinx, env: BuildEnvironment, _added: object, _changed: object, _removed: object
) -> Sequence[str]:
    folder = _trees(env)
    return [
        docname
        for docname, page in _pages(env).items()
        if page.version != __version__
        or any(folder.fingerprint(source) != seen for source, seen in page.fingerprints.items())
        or not all(folder.holds(name) for name in page.placed)
    ]


def _forget_page(_app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    _pages(env).pop(docname, None)


def _merge_pages(
    _app: Sphinx, env: BuildEnvironment, docnames: Sequence[str], other: BuildEnvironment
) -> None:
    read = _pages(other)
    _pages(env).update((name, read[name]) for name in docnames if name in read)


def _copy_files(app: Sphinx, exception: Exception | None) -> None:
    if exception is not None:
        return
    pages = _pages(app.env)
    kept = {name for page in pages.values() for name in page.placed}
    trees = _trees(app.env)
    trees.keep(kept)
    if pages and _shows_elements(app.builder):
        trees.copy_into(Path(app.outdir) / TREES, kept)
        _settings(app).write_files(Path(app.outdir))


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the directive, its options and the steps of the build."""
    text = (str, type(None))
    app.add_config_value("treeglass_package", None, "html", text)
    app.add_config_value("treeglass_script", None, "html", text)
    app.add_config_value("treeglass_tree", None, "env", text)
    app.add_node(treeglass_demo, html=(_write_element, None))
    app.add_directive(DIRECTIVE, DemoDirective)
    app.connect("config-inited", _exclude_default_tree)
    app.connect("builder-inited", _note_output)
    app.connect("builder-inited", _check_options)
    app.connect("env-get-outdated", _outdated)
    app.connect("env-purge-doc", _forget_page)
    app.connect("env-merge-info", _merge_pages)
    app.connect("doctree-resolved", _write_answers_alone)
    app.connect("build-finished", _copy_files)
    return {
        "version": __version__,
        "env_version": 1,
        "parallel_read_safe": True,
        "parallel_write_safe": True,
    }
