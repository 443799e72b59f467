"""Modules for authors alone: demos in pages with their recorded answers.

`record_command` fills answers into HTML and Markdown pages, and `sphinx` and
`mkdocs` write demos into built sites. The names here are for your own generator
of pages. Nothing in this package starts a browser, and no page loads it.
"""

from treeglass.authoring.demo import (
    Demo,
    DemoInvalid,
    InlineTree,
    NotRecordable,
    TreeAt,
    TreeOfPackage,
)
from treeglass.authoring.markup import render_demo
from treeglass.authoring.recording import Recording, record_answer

__all__ = [
    "Demo",
    "DemoInvalid",
    "InlineTree",
    "NotRecordable",
    "Recording",
    "TreeAt",
    "TreeOfPackage",
    "record_answer",
    "render_demo",
]
