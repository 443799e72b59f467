"""No method about changes writes to a mount: each is asked for, with a spy below the folder."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.support.write_spy import nothing_written
from treeglass.bridge import Bridge
from treeglass.bridge.changes import CHANGE_METHODS

TREE = {
    "edited": "one\n" * 20,
    "gone": "gone\n",
    "moved": "moved\n",
    "old/only": "only\n",
    "link": "-> edited",
}
PATCH = """*** Begin Patch
*** Update File: edited
@@
-one
+two
@@
 one
+three
*** End of File
*** Delete File: gone
*** Update File: moved
*** Move to: m/moved
@@
 moved
+on
*** Delete File: old/only
*** Delete File: link
*** Add File: new/deep/er
+new
*** End Patch
"""


class Person:
    """Asks a bridge as a page does, and notes which methods it has asked for."""

    def __init__(self, folder: Path) -> None:
        self.asked: set[str] = set()
        self._bridge = Bridge()
        tools = {"experimental_supported_tools": ["apply_patch"], "offered": []}
        self.ask("configure", config={"tools": tools})
        self.ask("mount", path="/repo", host=str(folder))

    def ask(self, method: str, **params: Any) -> Any:
        self.asked.add(method)
        request = json.dumps({"method": method, "params": params})
        return json.loads(self._bridge.handle(request))["result"]


def _decide(person: Person) -> None:
    """Ask for every method about changes, and for every way of those that have several."""
    called = person.ask("callTool", name="apply_patch", arguments={"input": PATCH}, group="1")
    assert not called["isError"], called["content"]
    for entry in person.ask("changes")["entries"]:
        person.ask("diffChange", path=entry["path"])
        person.ask("keepChange", path=entry["path"])
    kept = person.ask("changes")["entries"]
    for form in ("patch", "archive", "manifest"):
        person.ask("exportChanges", format=form)
    saved = person.ask("saveState")["state"]
    first, *_ = person.ask("diffChange", path="/repo/edited")["hunks"]
    person.ask("keepChange", path="/repo/edited", hunks=[first["key"]])
    person.ask("rejectChange", path="/repo/edited", hunks=[first["key"]], reason="no")
    while left := person.ask("changes")["entries"]:
        person.ask("rejectChange", path=left[-1]["path"])
    while person.ask("undoChange")["step"] is not None:
        pass
    while person.ask("redoChange")["step"] is not None:
        pass
    person.ask("takeNotes")
    person.ask("discardChanges")
    person.ask("restoreState", state=saved)
    assert person.ask("changes")["entries"] == kept


def test_whatever_a_person_decides_about_changes_nothing_is_written(
    make_tree: Callable[..., Path],
) -> None:
    folder = make_tree(TREE)
    person = Person(folder)

    with nothing_written(folder.parent):
        _decide(person)

    assert {"callTool", *CHANGE_METHODS} - person.asked == set()
