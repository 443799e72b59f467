"""Note which Python functions run; runs inside the interpreter of an image.

The text of this file and a call of `start` end the module that Python imports first, so its
annotations are evaluated there. It is also run by its path, for `finish`.
"""

import importlib
import sys
import types

_monitoring = vars(sys)["monitoring"]
# The name is unknown to older versions of Python, which check this file.

_TOOL = 0
_FIRST_OF_A_CALL = "Client.state"

_OBJECTS_BETWEEN_COLLECTIONS = 30


class Notes:
    """The functions that have run; the only instance is `sys.treeglass_notes`."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.is_restored = False
        self.tell: object = None

    def note(self, code: types.CodeType, _offset: int) -> object:
        """Note a function, and ask for no further call of it."""
        file = _file_of(code.co_filename)
        if file is not None:
            self.lines.append(f"{file} {code.co_qualname}:{code.co_firstlineno}")
        if self.is_restored and self.tell is None and code.co_qualname == _FIRST_OF_A_CALL:
            # An image whose interpreter has imported `js` could not be restored. An import here
            # would have our own archive fetched, so no search would run before its code is there.
            hooks = vars(sys.modules["_pyodide._importhook"])
            self.tell = hooks["jsfinder"].jsproxies["js"].treeglassRan
            self.lines.append("")
        if callable(self.tell):
            self.tell("\n".join(self.lines))
            self.lines.clear()
        return _monitoring.DISABLE


def _file_of(path: str) -> str | None:
    for ending in (".zip/", ".whl/"):
        if ending in path:
            return path.partition(ending)[2]
    return None


def start() -> None:
    """Note each function that runs from now on, once."""
    events = _monitoring.events.PY_START
    notes = Notes()
    # Both runs of this file see it.
    vars(sys)["treeglass_notes"] = notes
    _monitoring.use_tool_id(_TOOL, "treeglass")
    _monitoring.register_callback(_TOOL, events, notes.note)
    _monitoring.set_events(_TOOL, events)


def finish(_lines: list[str]) -> str:
    """Return what ran until now; from the restored image on, tell `treeglassRan` what runs.

    An empty line stands between what a start runs and what the first request runs.

    From then on Python collects cycles often. Which functions a collection calls depends on what
    lives at that moment: this way it meets what a rare one would meet by chance.
    """
    importlib.import_module("gc").set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    notes = vars(sys)["treeglass_notes"]
    ran = "\n".join(notes.lines)
    notes.lines.clear()
    notes.is_restored = True
    _monitoring.restart_events()
    return ran
