"""`LS`, `Read`, `Glob` and `Grep`: answers in the Standard Envelope v1.0."""

from treeglass.tools.envelope.definitions import GLOB, GREP, LS, READ

TOOLS = (LS, READ, GLOB, GREP)
