"""A demo on a page of a site, with its answer and its tree inside the site."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from treeglass.authoring.addresses import is_directory
from treeglass.authoring.demo import ArchiveNotRecorded, Demo, DemoInvalid, NotRecordable, TreeAt
from treeglass.authoring.markup import ELEMENT, escape_content, render_demo
from treeglass.authoring.recording import Recording, record_answer
from treeglass.authoring.site.directive import Directive, describe_unrecorded

if TYPE_CHECKING:
    from pathlib import Path

    from treeglass.authoring.site.tree_folder import PlacedTree, TreeFolder


@dataclass(frozen=True, slots=True)
class PageDemo:
    """A demo with its answer and its tree."""

    demo: Demo
    recording: Recording | None
    tree: PlacedTree | None = None
    """Its tree in the site; None if that is on another host or in the page."""
    warnings: tuple[str, ...] = ()
    """The warnings of the build, one sentence each."""

    @property
    def unrecorded(self) -> str:
        """The sentence that the page shows in place of a recorded answer."""
        return describe_unrecorded(self.demo)

    def render(self, to_root: str) -> str:
        """Return the element; the way to the root of the site is empty or ends with a slash."""
        demo = self.demo
        if self.tree is not None and isinstance(demo.tree, TreeAt):
            demo = replace(demo, tree=replace(demo.tree, address=to_root + self.tree.address))
        element = render_demo(demo, self.recording)
        if self.recording is not None:
            return element
        closing = f"</{ELEMENT}>"
        return f"{element.removesuffix(closing)}<p>{escape_content(self.unrecorded)}</p>\n{closing}"


def record_page_demo(directive: Directive, source: Path | None, trees: TreeFolder) -> PageDemo:
    """Bring a demo's tree, if it has a path, into a site, and record its answer if possible."""
    demo = directive.demo
    named = directive.tree_path
    if source is None or named is None:
        return PageDemo(demo, _record(demo, None))
    if is_directory(source) and isinstance(demo.tree, TreeAt) and demo.tree.integrity is not None:
        raise DemoInvalid(f"integrity is for an archive, and tree {named!r} is packed here")
    tree = trees.place(source, named)
    try:
        return PageDemo(demo, _record(demo, trees.path(tree)), tree, tree.left_out)
    except ArchiveNotRecorded as error:
        return PageDemo(demo, None, tree, (str(error),))


def _record(demo: Demo, tree: Path | None) -> Recording | None:
    try:
        return record_answer(demo, tree)
    except ArchiveNotRecorded:
        raise
    except NotRecordable:
        return None
