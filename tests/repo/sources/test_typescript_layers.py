"""A folder of `web/src` imports only the folders that `docs/architecture.md` puts below it."""

import re
from collections.abc import Iterator
from itertools import product
from pathlib import PurePosixPath

import pytest

from build_steps.folders import WEB

_BASE = "lib generated protocol"
_PAGE = f"{_BASE} client adapters ui entries hosts/page element/review playground"
_PARTS = f"{_PAGE} playground/state playground/shell"

_MAY_IMPORT = {
    "lib": "",
    "generated": "",
    "protocol": "lib generated",
    "sources": _BASE,
    "worker": f"{_BASE} sources",
    "session": _BASE,
    "client": f"{_BASE} session",
    "hosts/page": f"{_BASE} session client",
    "hosts/page/worker": f"{_BASE} sources worker",
    "hosts/thread": f"{_BASE} session client sources hosts/thread/worker",
    "hosts/thread/worker": f"{_BASE} sources worker",
    "hosts/isolate": f"{_BASE} sources worker session client",
    "documentation": "ui",
    "playground/single-file": (
        f"{_PARTS} playground/sources session playground/single-file/worker"
    ),
    "playground/single-file/worker": f"{_BASE} sources worker hosts/page/worker",
    "adapters": f"{_BASE} client",
    "ui": f"{_BASE} client entries",
    "element": f"{_BASE} client adapters ui entries",
    "element/review": f"{_BASE} ui element",
    "playground": (
        f"{_PARTS} playground/files playground/model playground/sources playground/timeline "
        "playground/tour playground/viewer playground/compare playground/share playground/text"
    ),
    "playground/state": _PAGE,
    "playground/shell": f"{_PAGE} playground/state",
    "playground/files": _PARTS,
    "playground/text": _PARTS,
    "playground/model": f"{_PARTS} playground/text",
    "playground/sources": _PARTS,
    "playground/timeline": f"{_PARTS} playground/text",
    "playground/tour": f"{_PARTS} playground/sources",
    "playground/viewer": f"{_PARTS} playground/sources playground/text playground/tour",
    "playground/compare": f"{_PARTS} playground/timeline",
    "playground/share": f"{_PARTS} playground/model playground/sources",
    "command": f"{_BASE} client adapters entries",
    "entries": f"{_BASE} session client hosts/page hosts/thread",
}
"""The folders that the files of each may import; `entries` are the files of `src` itself."""

_IMPORT = re.compile(r"""\b(?:from|import)\s*\(?\s*"(\.[^"]+)\"""")


def _layer(path: str) -> str:
    """Return the folder of the table that a file below `src` is in, the longest that fits."""
    fitting = [layer for layer in _MAY_IMPORT if path.startswith(f"{layer}/")]
    return max(fitting, key=len, default="entries")


def _refused(path: str, text: str) -> Iterator[str]:
    """Yield the imports in a file below `src` that the table does not allow."""
    own = _layer(path)
    for name in _IMPORT.findall(text):
        parts: list[str] = []
        for part in (PurePosixPath(path).parent / name).parts:
            if part == "..":
                parts.pop()
            else:
                parts.append(part)
        other = _layer("/".join(parts))
        if other != own and other not in _MAY_IMPORT[own].split():
            yield f"{path} imports {'/'.join(parts)}"


def test_every_import_points_to_a_folder_below() -> None:
    source = WEB / "src"
    refused = [
        each
        for path in sorted([*source.rglob("*.ts"), *source.rglob("*.tsx")])
        for each in _refused(path.relative_to(source).as_posix(), path.read_text("utf-8"))
    ]

    assert refused == []


@pytest.mark.parametrize(
    ("layer", "other"),
    [
        (layer, other)
        for layer, other in product(_MAY_IMPORT, repeat=2)
        if layer != other and other not in _MAY_IMPORT[layer].split()
    ],
)
def test_an_import_through_a_wall_is_refused(layer: str, other: str) -> None:
    def module(folder: str) -> str:
        return "made-up.ts" if folder == "entries" else f"{folder}/made-up.ts"

    up = "../" * module(layer).count("/") or "./"
    text = f'import {{ it }} from "{up}{module(other)}";'

    assert list(_refused(module(layer), text)) == [f"{module(layer)} imports {module(other)}"]
