"""The plugin's steps of a build, from the configuration to the built site."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from mkdocs.config import config_options
from mkdocs.config.base import Config
from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin, get_plugin_logger
from mkdocs.utils import get_relative_url

from treeglass.authoring.addresses import is_directory
from treeglass.authoring.demo import DemoInvalid
from treeglass.authoring.mkdocs.fences import DemoFences, Fence
from treeglass.authoring.site.directive import DIRECTIVE, parse_directive, split_fence
from treeglass.authoring.site.page_demo import PageDemo, record_page_demo
from treeglass.authoring.site.site_settings import SiteSettings, page_in_tree
from treeglass.authoring.site.tree_folder import TREES, TreeFolder

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.livereload import LiveReloadServer
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page


_logger = get_plugin_logger(__name__)

_TOP = "_treeglass"
_NO_DEMO = "<!-- No demo: the log of the build says why. -->"


class TreeglassConfig(Config):  # type: ignore[no-untyped-call]  # MkDocs left a hook untyped
    """The options of the plugin."""

    package = config_options.Optional(config_options.Type(str))
    """Folder of the npm package, relative to `mkdocs.yml`; the site gets a copy."""
    script = config_options.Optional(config_options.Type(str))
    """Address of `element.js`, if the package is served already."""
    tree = config_options.Optional(config_options.Type(str))
    """The tree of demos that name none."""


class TreeglassPlugin(BasePlugin[TreeglassConfig]):  # type: ignore[no-untyped-call]  # same
    """The plugin; `mkdocs serve` keeps one for all its builds."""

    def __init__(self) -> None:
        self._server: LiveReloadServer | None = None
        self._site: _Site | None = None

    def on_startup(self, *, command: str, dirty: bool) -> None:
        """Do nothing: with this method MkDocs keeps the plugin from build to build."""

    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """Check the options, and add the fence to Markdown."""
        own = self.config
        folder = Path(config.config_file_path).parent
        settings = SiteSettings(folder, own.package, own.script, own.tree)
        try:
            warning = settings.check()
        except DemoInvalid as error:
            raise PluginError(f"treeglass: package: {error}") from None
        if warning is not None:
            _logger.warning("package: %s", warning)
        self._site = site = _Site(config, settings)
        # MkDocs types the list by what a person can write into mkdocs.yml.
        config.markdown_extensions.append(DemoFences(site.render))  # type: ignore[arg-type]
        return config

    def on_files(self, files: Files, /, **_: object) -> Files:
        """Make no pages of the tree that demos have by default."""
        tree = None if self._site is None else self._site.settings.excluded
        for file in list(files) if tree is not None else ():
            if file.src_uri.startswith(f"{tree}/"):
                files.remove(file)
        return files

    def on_page_markdown(self, markdown: str, /, *, page: Page, files: Files, **_: object) -> None:
        """Note which page is about to be rendered."""
        if self._site is not None:
            self._site.begin(page, markdown, files)

    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """Write the files that pages with demos load, if the site has such pages."""
        if self._site is not None and self._site.has_demos:
            self._site.settings.write_files(Path(config.site_dir))
        self._watch()

    def on_serve(self, server: LiveReloadServer, /, **_: object) -> LiveReloadServer:
        """Build again when a tree changes."""
        self._server = server
        self._watch()
        return server

    def _watch(self) -> None:
        if self._server is None or self._site is None:
            return
        for source in self._site.sources:
            if source.exists():
                self._server.watch(str(source))


class _Site:
    """One build of a site."""

    def __init__(self, config: MkDocsConfig, settings: SiteSettings) -> None:
        self.settings = settings
        self._docs = Path(config.docs_dir)
        self._trees = TreeFolder(
            Path(config.site_dir) / TREES, self._docs, (Path(config.site_dir),)
        )
        self._page: Page | None = None
        self._files: Files | None = None
        self._lines_above = 0
        self._script_written = False
        self.has_demos = False
        self.sources: set[Path] = set()
        """Files and directories of trees that MkDocs does not watch already."""

    def begin(self, page: Page, markdown: str, files: Files) -> None:
        """Note which page the next fences belong to."""
        self._page = page
        self._files = files
        self._script_written = False
        source = page.file.content_string
        # MkDocs has taken off the metadata, whose lines count.
        above = source[: -len(markdown)] if markdown and source.endswith(markdown) else ""
        self._lines_above = above.count("\n")

    def render(self, fence: Fence) -> str:
        """Return the HTML of a fence; warn about an invalid one and return a comment."""
        page = self._page
        if page is None:
            return _NO_DEMO
        try:
            demo = self._read(fence, page)
        except DemoInvalid as error:
            self._warn(fence, str(error))
            return _NO_DEMO
        for sentence in demo.warnings:
            self._warn(fence, sentence)
        to_root = get_relative_url(_TOP, page.url).removesuffix(_TOP)
        head = "" if self._script_written else self.settings.head(to_root)
        self._script_written = self.has_demos = True
        return f'<div class="treeglass">\n{head}{demo.render(to_root)}\n</div>'

    def _read(self, fence: Fence, page: Page) -> PageDemo:
        if not fence.closed:
            raise DemoInvalid(
                "the fence is never closed; end it with the marks that it begins with"
            )
        options, content = split_fence(fence.content)
        directive = parse_directive(fence.tool, options, content, default_tree=self.settings.tree)
        source = None
        if directive.tree_path is not None:
            source = self._source(directive.tree_path, page)
            self._trees.require_apart(source, directive.tree_path)
            self._watch_for(source, fence)
        return record_page_demo(directive, source, self._trees)

    def _source(self, tree_path: str, page: Page) -> Path:
        folder = self._docs
        if not tree_path.startswith("/"):
            folder = folder / Path(page.file.src_uri).parent
        return (folder / tree_path.lstrip("/")).resolve()

    def _watch_for(self, source: Path, fence: Fence) -> None:
        docs = self._docs.resolve()
        if not source.is_relative_to(docs):
            self.sources.add(source)
            if not is_directory(source):
                self.sources.update(self._trees.source_files(source))
            return
        files = self._files.documentation_pages() if self._files is not None else ()
        pages = ((file.src_uri, docs / file.src_uri) for file in files)
        if found := page_in_tree(source, docs, pages):
            way, page = found
            self._warn(
                fence,
                f"tree {way} holds {page}, which MkDocs makes a page of; "
                f"set `exclude_docs: /{way}/` in mkdocs.yml",
            )

    def _warn(self, fence: Fence, message: str) -> None:
        where = "" if self._page is None else self._page.file.src_uri
        line = self._lines_above + fence.line
        _logger.warning("%s:%d: %s: %s", where, line, DIRECTIVE, message)
