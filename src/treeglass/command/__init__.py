"""The commands of `treeglass`, except `record`; no page imports any of it."""

OK, FAILED, USAGE, INTERRUPTED = 0, 1, 2, 130
"""Exit codes: a result; a tool's own error, or a command that did not succeed;
wrong usage; a signal to stop."""
