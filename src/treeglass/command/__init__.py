"""The commands of `treeglass`, except `record`; no page imports any of it.

Each module has what its command takes and what it does; `treeglass.__main__`
puts them together.
"""

OK, FAILED, USAGE, INTERRUPTED = 0, 1, 2, 130
"""Exit codes: a result; a tool's own error, or a command that did not succeed;
wrong usage; a signal to stop."""
