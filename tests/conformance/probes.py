"""The capabilities of a host, found out by trying and never by its name.

Each probe is a scene, a call, and what the answer looks like where the
capability is there. The tools themselves are the instrument: a capability that
they cannot show is of no use to a case.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass

from tests.conformance.scenes import Answer, CannotStage, Capability, Host, Scene, ToolCall
from tests.conformance.trees import Node, Tree

_DEEP_NAME = "c" * 200
_DEEP_LEVELS = 24
_LONG_NAME = "n" * 255
_SOME_MS = 1_700_000_000_001


@dataclass(frozen=True, slots=True)
class _Probe:
    scene: Scene
    call: ToolCall
    is_shown_by: Callable[[Answer], bool]


def _tree(*entries: tuple[bytes, Node]) -> Tree:
    return Tree(dict(entries))


def _list_dir(tree: Tree, path: str, content: str, *, unprivileged: bool = False) -> _Probe:
    call = ToolCall(tool="list_dir", arguments={"dir_path": path, "depth": _DEEP_LEVELS + 1})
    return _Probe(
        Scene(tree, {}, unprivileged=unprivileged), call, lambda answer: answer.content == content
    )


def _list_directory(scene: Scene, field: str, value: object) -> _Probe:
    def is_shown_by(answer: Answer) -> bool:
        if answer.is_error:
            return False
        return [entry[field] for entry in json.loads(answer.content)["entries"]] == [value]

    call = ToolCall(tool="list_directory", arguments={"path": "."})
    return _Probe(scene, call, is_shown_by)


def _deep_tree() -> Tree:
    names = [_DEEP_NAME.encode()] * _DEEP_LEVELS
    paths = [b"/".join(names[: depth + 1]) for depth in range(_DEEP_LEVELS)]
    return _tree(*((path, Node("directory")) for path in paths))


_FILE = Node("file")

_PROBES = {
    Capability.RAW_NAMES: _list_dir(
        _tree((b"x\xfe", _FILE), (b"x\xff", _FILE)),
        "/project",
        "Absolute path: /project\nx\\x{FE}\nx\\x{FF}",
    ),
    Capability.PIPES: _list_dir(
        _tree((b"p", Node("pipe"))), "/project", "Absolute path: /project\np?"
    ),
    Capability.PERMISSIONS: _list_dir(
        _tree((b"shut", Node("directory", mode=0)), (b"shut/in", _FILE)),
        "/project/shut",
        "failed to read directory: Permission denied (os error 13)",
        unprivileged=True,
    ),
    Capability.FAULTS: _list_directory(
        Scene(_tree((b"f", _FILE)), {}, faults={"lstat": {"f": "EACCES"}}), "type", "unknown"
    ),
    Capability.PATH_MAX: _list_dir(
        _deep_tree(), "/project", "failed to read directory: File name too long (os error 36)"
    ),
    Capability.LONG_NAMES: _list_dir(
        _tree((_LONG_NAME.encode(), _FILE)), "/project", f"Absolute path: /project\n{_LONG_NAME}"
    ),
    Capability.BACKSLASHES: _list_dir(
        _tree((b"a\\b", _FILE)), "/project", "Absolute path: /project\na\\b"
    ),
    Capability.MILLISECONDS: _list_directory(
        Scene(_tree((b"f", Node("file", modified_ns=_SOME_MS * 1_000_000))), {}),
        "modified_epoch_ms",
        _SOME_MS,
    ),
}


def probe_capabilities(host: Host) -> frozenset[Capability]:
    """Return the capabilities of a host, each tried on a tree of its own."""
    return frozenset(name for name, probe in _PROBES.items() if _is_shown(host, probe))


def _is_shown(host: Host, probe: _Probe) -> bool:
    try:
        (answer,) = host.answer(probe.scene, [probe.call])
    except CannotStage:
        return False
    if isinstance(answer, Exception):
        raise answer
    return probe.is_shown_by(answer)
