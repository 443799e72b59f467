"""The name by which `conf.py` loads the Sphinx extension: `extensions = ["treeglass.sphinx"]`."""

from treeglass.authoring.sphinx import setup

__all__ = ["setup"]
