"""The argument `include`: one line of gitignore's syntax, which beats every ignore file."""

from __future__ import annotations

from treeglass.search.checkpoint import Checkpoint, no_check
from treeglass.search.glob_automaton import GlobAutomaton
from treeglass.search.glob_steps import GlobInvalid, GlobTooLarge
from treeglass.search.glob_syntax import RIPGREP
from treeglass.search.ignore_file import parse_line
from treeglass.tools.codex.errors import RespondToModel
from treeglass.utf8 import raw_bytes


class Include:
    """Tells which entries are searched, by their paths below the working directory.

    The glob is trimmed; an empty one has no rule, and one that cannot be read is refused. The clock
    is looked at also while paths are compared.
    """

    def __init__(self, glob: str, working_dir: str, checkpoint: Checkpoint = no_check) -> None:
        # To ripgrep this excludes everything.
        glob = "!**" if glob == "!" else glob
        try:
            self._rule = parse_line(raw_bytes(glob), RIPGREP)
            alternatives = self._rule.alternatives if self._rule else []
            self._automaton = GlobAutomaton([alternatives], checkpoint)
        except GlobTooLarge as error:
            message = f"include is above a ceiling: {error}; search with a shorter glob"
            raise RespondToModel(message) from None
        except GlobInvalid as error:
            raise RespondToModel(f"rg failed: rg: error parsing glob '{glob}': {error}\n") from None
        self._base = working_dir.rstrip("/") + "/"

    @property
    def has_rule(self) -> bool:
        """True if it decides about any entry."""
        return self._rule is not None

    def start(self, directory: str) -> int:
        """Return the state for the entries of a virtual directory."""
        path = directory.rstrip("/") + "/"
        inside = path.removeprefix(self._base)
        return self._automaton.feed(self._automaton.start, raw_bytes(inside))

    def enter(self, state: int, name: str) -> int:
        """Return the state for the entries of a directory in this one."""
        return self._automaton.feed(state, raw_bytes(name) + b"/")

    def takes(self, state: int, name: str, *, is_directory: bool) -> bool | None:
        """Tell whether an entry is searched; None if the other rules decide."""
        rule = self._rule
        if rule is None:
            return None
        after = self._automaton.feed(state, raw_bytes(name))
        is_hit = self._automaton.highest(after) is not None
        if is_hit and (is_directory or not rule.directories_only):
            return not rule.is_negated
        return None if rule.is_negated or is_directory else False
