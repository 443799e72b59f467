"""Every file that a start reads, damaged in every way, and what the start then says."""

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from tests.support.start_json import without_image

WAYS: Mapping[str, Callable[[bytes], bytes] | None] = {
    "missing": None,
    "empty": lambda _: b"",
    "cut": lambda content: content[: len(content) // 2],
    "changed": lambda content: bytes([*content[:-1], content[-1] ^ 1]),
}
"""What becomes of a file's content; None if it is removed."""


class Damage(NamedTuple):
    """One damaged file."""

    path: str
    """Relative to the assets."""
    way: str
    has_image: bool
    """True if the start is one from the image."""

    def replaced(self, package: Path) -> dict[str, bytes | None]:
        """Return the files that differ from the package's, by their paths in the assets."""
        start = {} if self.has_image else {"start.json": without_image(package)}
        content = start.get(self.path) or (package / "assets" / self.path).read_bytes()
        damage = WAYS[self.way]
        return {**start, self.path: None if damage is None else damage(content)}

    def complaint(self, if_missing: str) -> str:
        """Return the clause that names the file."""
        if self.way == "missing":
            return f"{self.path} {if_missing}"
        if self.path == "start.json":
            return "start.json is not that of this package"
        return f"{self.path} is not the file that start.json names"


def damages(package: Path, *, files: Callable[[str], bool] = lambda _: True) -> Iterator[Damage]:
    """Yield each damage of each file that a start reads, except the worker's."""
    start = json.loads((package / "assets" / "start.json").read_text("utf-8"))
    image = {start["image"][part]["path"] for part in ("interpreter", "sideModule", "memory")}
    modules = {path for path in start["files"] if path.endswith(".mjs")}
    # A start reads no late part; `tests/support/late_code.py` makes packages whose starts do.
    listed = {path for path in start["files"] if not path.endswith(".late.wasm")}
    ordinary = listed - {"worker.js"}
    for has_image, read in ((True, image | modules), (False, ordinary)):
        for path in sorted({"start.json", *read}):
            if files(path):
                yield from (Damage(path, way, has_image) for way in WAYS)
