"""The settings of a site with demos, alike in Sphinx and MkDocs, and what its pages load."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from treeglass import __version__
from treeglass.authoring.site.directive import is_address, is_path
from treeglass.authoring.site.site_files import check_package, copy_package, script_address

if TYPE_CHECKING:
    from pathlib import Path

_STYLES_PATH = f"_treeglass/theme-{__version__}.css"

_STYLES = """\
/* A demo follows `color-scheme`, and some themes say theirs by an attribute alone. */
[data-theme="light"] .treeglass { color-scheme: light; }
[data-theme="dark"] .treeglass { color-scheme: dark; }
@media (prefers-color-scheme: dark) {
  [data-theme="auto"] .treeglass { color-scheme: dark; }
}
/* Where no script runs, the call stands above its answer. */
treeglass-demo:not(:defined) > .call {
  display: block;
  margin-block-end: 0.5em;
  overflow-wrap: anywhere;
}
"""


@dataclass(frozen=True, slots=True)
class SiteSettings:
    """The configuration of a site."""

    folder: Path
    """Of the configuration."""
    package: str | None
    """Folder of the npm package, relative to that; the site gets a copy."""
    script: str | None
    """Address of `element.js`, if the package is served already."""
    tree: str | None
    """The tree of demos that name none."""

    def check(self) -> str | None:
        """Return a warning about the package, or None; what cannot be used is `DemoInvalid`."""
        script_address(package=self.package, script=self.script)
        return check_package(self.folder / self.package, self.package) if self.package else None

    @property
    def excluded(self) -> str | None:
        """The directory of the sources that makes no pages, since it is the tree of demos."""
        return self.tree.strip("/") if self.tree and is_path(self.tree) else None

    def head(self, to_root: str) -> str:
        """Return the elements that load style sheet and script; as `PageDemo.render`."""
        script = script_address(package=self.package, script=self.script)
        is_absolute = is_address(script) or script.startswith("/")
        address = script if is_absolute else f"{to_root}{script}"
        return (
            f'<link rel="stylesheet" href="{to_root}{_STYLES_PATH}">\n'
            f'<script type="module" src="{address}"></script>\n'
        )

    def write_files(self, site: Path) -> None:
        """Write what pages with demos load into a built site."""
        if self.package:
            copy_package(self.folder / self.package, site)
        target = site / _STYLES_PATH
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(_STYLES, "utf-8", newline="\n")


def page_in_tree(
    source: Path, sources: Path, pages: Iterable[tuple[str, Path]]
) -> tuple[str, str] | None:
    """Return the way to a tree and a page inside it, which the site shows by mistake.

    All paths are real. The folder of the sources may be a tree that shows all pages.
    """
    if source == sources or not source.is_relative_to(sources):
        return None
    inside = [name for name, file in pages if source in file.parents]
    return (source.relative_to(sources).as_posix(), min(inside)) if inside else None
