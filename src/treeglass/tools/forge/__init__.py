"""`list_directory`, `Search`, `Read` and `Glob`: answers as JSON objects and as text."""

from treeglass.tools.forge.definitions import GLOB, LIST_DIRECTORY, READ, SEARCH

TOOLS = (LIST_DIRECTORY, SEARCH, READ, GLOB)
