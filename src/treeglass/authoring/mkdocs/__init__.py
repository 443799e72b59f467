"""The MkDocs plugin `treeglass`: live tool demos in documentation.

The plugin is named in `mkdocs.yml`; its fences `treeglass-demo` become the
element with its recorded answer.
"""

from treeglass.authoring.mkdocs.plugin import TreeglassConfig, TreeglassPlugin

__all__ = ["TreeglassConfig", "TreeglassPlugin"]
