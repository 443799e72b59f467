"""The MkDocs plugin `treeglass`: fences `treeglass-demo` become demos with recorded answers."""

from treeglass.authoring.mkdocs.plugin import TreeglassConfig, TreeglassPlugin

__all__ = ["TreeglassConfig", "TreeglassPlugin"]
