"""The recorded cases, from the files in `cases/` to calls that any host can make."""

import json
import posixpath
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from tests.conformance.scenes import Capability, Scene, ToolCall
from tests.conformance.trees import MOUNT_POINT, Json, Tree, parse_tree, substituted

HERE = Path(__file__).parent

BROWSER_HOSTS = {
    "chromium": ("chromium", "image"),
    "firefox": ("firefox", "image"),
    "chromium-packages": ("chromium", "packages"),
    "firefox-packages": ("firefox", "packages"),
    "webkit": ("webkit", "image"),
}
"""Every host that is a browser: which one, and in which way its runtime starts."""

EDGE_HOSTS = {
    "node": "node",
    "deno": "deno",
    "bun": "bun",
    "node-directory": "node",
    "deno-directory": "deno",
    "bun-directory": "bun",
}
"""Every host that is a program: which runtime runs it."""

HOSTS = ("cpython", *BROWSER_HOSTS, *EDGE_HOSTS, "workerd")
"""Every host that the cases run on."""

_PATH_MAX_BYTES = 4096
_LONGEST_NAME_BYTES = 255


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One call in one scene, and the recorded answer."""

    suite: str
    id: str
    rule: str
    scene: Scene
    call: ToolCall
    recorded: Json
    """The case as its file has it, virtual paths put in."""
    needs: frozenset[Capability]

    @property
    def expect(self) -> Json:
        """The recorded answer."""
        answer: Json = self.recorded["expect"]
        return answer


@cache
def read_cases(name: str) -> Json:
    """Return a file of `cases/` as it is."""
    document: Json = json.loads((HERE / "cases" / f"{name}.json").read_text("utf-8"))
    return document


@cache
def suite(name: str) -> tuple[Case, ...]:
    """Return the cases of one suite, in the order of its file."""
    return tuple(_SUITES[name](name))


def all_cases() -> tuple[Case, ...]:
    """Return the cases of all suites."""
    return tuple(case for name in SUITES for case in suite(name))


@dataclass(frozen=True, slots=True)
class ExpectedFailure:
    """A deviation that is meant: where, which cases, and why."""

    suite: str
    hosts: tuple[str, ...]
    cases: tuple[str, ...]
    reason: str


@cache
def expected_failures() -> tuple[ExpectedFailure, ...]:
    """Return the entries of `expected_failures.toml`."""
    document = tomllib.loads((HERE / "expected_failures.toml").read_text("utf-8"))
    return tuple(
        ExpectedFailure(
            entry["suite"], tuple(entry["hosts"]), tuple(entry["cases"]), entry["reason"]
        )
        for entry in document["failure"]
    )


def failure_reason(host: str, case: Case) -> str | None:
    """Return why a case is expected to fail on a host, or None."""
    for entry in expected_failures():
        if entry.suite == case.suite and host in entry.hosts and case.id in entry.cases:
            return entry.reason
    return None


def _config(**tables: Any) -> Json:
    return {"tools": {"output": {"escape_names": False}, **tables}}


def _codex(name: str) -> list[Case]:
    document = read_cases(name)
    config = _config(
        list_dir={"revision": document.get("revision", "sorted-then-paged")},
        **(
            {}
            if name == "read_file_documented_defaults"
            else {"read_file": {"max_levels_default": 0, "include_header_default": True}}
        ),
    )
    trees = _trees(document)
    # A call that fails to parse reaches no tree, so any will do.
    anywhere = next(iter(trees))
    cases = []
    for raw in [*document["cases"], *document.get("argument_text_cases", [])]:
        recorded = substituted(raw)
        arguments = recorded["args_text"] if "args_text" in recorded else recorded["args"]
        scene = Scene(trees[recorded.get("tree", anywhere)], config)
        call = ToolCall(tool=document["tool"], arguments=arguments)
        cases.append(_case(name, recorded, scene, call))
    return cases


def _ls(name: str) -> list[Case]:
    document = read_cases(name)
    trees = _trees(document)
    cases = []
    for raw in document["cases"]:
        recorded = substituted(raw)
        if "recommendation" in recorded:
            kept = "original" if recorded["recommendation"] == "original" else "seed"
            recorded["expect"] = recorded[kept]
        unprivileged = recorded.get("requires_nonroot", False)
        scene = Scene(trees[recorded["tree"]], _config(), unprivileged=unprivileged)
        call = ToolCall(tool="LS", arguments=recorded["args"], working_dir=_working_dir(recorded))
        cases.append(_case(name, recorded, scene, call))
    return cases


def _forge(name: str) -> list[Case]:
    document = read_cases(name)
    trees = _trees(document)
    cases = []
    for raw in document["cases"]:
        recorded = substituted(raw)
        scene = Scene(
            trees[recorded["tree"]],
            _config(**recorded["config"].get("tools", {})),
            faults=recorded.get("faults", {}),
            unprivileged=recorded.get("requires_nonroot", False),
        )
        call = ToolCall(tool="list_directory", arguments=recorded["args"], **recorded["ctx"])
        cases.append(_case(name, recorded, scene, call))
    return cases


def _envelope_search(name: str) -> list[Case]:
    document = read_cases(name)
    trees = _trees(document)
    cases = []
    for raw in _single_calls(document["cases"], trees):
        recorded = substituted(raw.recorded)
        if "recommendation" in recorded:
            recorded["expect"] = recorded[recorded["recommendation"]]
        scene = Scene(raw.tree, _config(**_changed_limits(recorded.get("limits", {}))))
        call = ToolCall(
            tool=document["tool"],
            arguments=recorded["args"],
            working_dir=_working_dir(recorded),
        )
        cases.append(_case(name, recorded, scene, call))
    return cases


class _SingleCall(NamedTuple):
    """A case as its file has it, and the tree at the time of its call."""

    recorded: Json
    tree: Tree


def _single_calls(recorded_cases: list[Json], trees: Mapping[str, Tree]) -> Iterator[_SingleCall]:
    """Yield every case, and for a sequence every call of it over what was written before."""
    for recorded in recorded_cases:
        tree = trees[recorded["tree"]]
        if "steps" not in recorded:
            yield _SingleCall(recorded, tree)
            continue
        for number, step in enumerate(recorded["steps"], start=1):
            if "write" in step:
                tree = tree.with_files(step["write"], step["mtime_ms"])
            else:
                named = {"id": f"{recorded['id']}.{number}", "rule": recorded["rule"]}
                yield _SingleCall({**named, **step}, tree)


# No time at all: whatever the clock says at the first look, it is over.
_NO_TIME = {"timeouts": {"file_operations_seconds": 1e-9}}


def _changed_limits(limits: Json) -> Json:
    """Return the tables that say what a case changed of the original's constants."""
    tables: Json = {}
    for name, value in limits.items():
        if name == "MAX_VISITED_ENTRIES":
            tables |= {"glob": {"max_visited_entries": value}}
        else:
            assert (name, value) in {("MAX_DURATION_MS", -1), ("TIMEOUT_SEC", -1)}
            tables |= _NO_TIME
    return tables


def _codex_search(name: str) -> list[Case]:
    document = read_cases(name)
    trees = _trees(document)
    cases = []
    for raw in document["cases"]:
        recorded = substituted(raw)
        scene = Scene(
            trees[recorded["tree"]],
            _config(experimental_supported_tools=[document["tool"]]),
            unprivileged=recorded.get("requires_nonroot", False),
        )
        call = ToolCall(
            tool=document["tool"],
            arguments=recorded["args_text"] if "args_text" in recorded else recorded["args"],
            working_dir=_working_dir(recorded),
        )
        cases.append(_case(name, recorded, scene, call))
    return cases


def _forge_search(name: str) -> list[Case]:
    document = read_cases(name)
    trees = _trees(document)
    cases = []
    for raw in document["cases"]:
        recorded = substituted(raw)
        # Budgets of such a case count the length of the root's path.
        assert recorded.get("mounted_at", MOUNT_POINT) == MOUNT_POINT
        # Two families have a `Read` and a `Glob`; alone, each keeps its own name.
        tables: Json = {
            "sandbox": _sandbox(recorded),
            "offered": [f"forge.{document['tool']}"],
        }
        if "config" in recorded:
            tables |= {"search" if name == "forge_search" else name: recorded["config"]}
        scene = Scene(
            trees[recorded["tree"]],
            _config(**tables),
            unprivileged=recorded.get("requires_nonroot", False),
        )
        call = ToolCall(
            tool=document["tool"],
            arguments=recorded["args"],
            working_dir=_working_dir(recorded),
            **recorded["ctx"],
        )
        cases.append(_case(name, recorded, scene, call))
    return cases


def _sandbox(recorded: Json) -> Json:
    sandbox: Json = {"allow_absolute": recorded.get("allow_absolute", False)}
    if "denied" in recorded:
        sandbox |= {"denied_patterns": recorded["denied"], "include_default_denies": False}
    return sandbox


def _working_dir(recorded: Json) -> str:
    return posixpath.normpath(posixpath.join(MOUNT_POINT, recorded.get("working_dir", ".")))


def _trees(document: Json) -> dict[str, Tree]:
    layout = document.get("base_layout")
    return {name: parse_tree(tree, layout) for name, tree in document["trees"].items()}


def _case(name: str, recorded: Json, scene: Scene, call: ToolCall) -> Case:
    return Case(
        suite=name,
        id=recorded["id"],
        rule=recorded["rule"],
        scene=scene,
        call=call,
        recorded=recorded,
        needs=_needs(scene, recorded),
    )


def _needs(scene: Scene, recorded: Json) -> frozenset[Capability]:
    """Return the capabilities that a case needs; a tree may hold more than its case looks at."""
    tree = scene.tree
    said = json.dumps([recorded.get("args"), recorded["expect"]])
    deep = any(len(path) > _PATH_MAX_BYTES for path in tree.nodes)
    names = [name for path in tree.nodes for name in path.split(b"/")]
    stems = [name.partition(b"\\")[0].decode() for name in names if b"\\" in name]
    needs: Mapping[Capability, bool] = {
        Capability.RAW_NAMES: tree.has_raw_names,
        Capability.PIPES: any(posixpath.basename(path).decode() in said for path in tree.pipes)
        or (bool(tree.pipes) and '"visited"' in said),
        Capability.PERMISSIONS: scene.unprivileged,
        Capability.FAULTS: bool(scene.faults) or "timeouts" in scene.config["tools"],
        Capability.PATH_MAX: deep and "File name too long" in said,
        Capability.LONG_NAMES: any(len(name) == _LONGEST_NAME_BYTES for name in names),
        Capability.BACKSLASHES: any(f"{stem}\\" in said for stem in stems),
        Capability.LIBRARY: tree.is_missing_library,
        Capability.MILLISECONDS: any(node.modified_ns is not None for _, node in tree),
    }
    return frozenset(capability for capability, needed in needs.items() if needed)


_SUITES: dict[str, Callable[[str], list[Case]]] = {
    "list_dir": _codex,
    "list_dir_paged_then_sorted": _codex,
    "read_file": _codex,
    "read_file_documented_defaults": _codex,
    "ls": _ls,
    "ls_conflicts": _ls,
    "list_directory": _forge,
}


class SearchSuite(NamedTuple):
    """A file of recorded cases that `test_search.py` asks."""

    family: str
    load: Callable[[str], list[Case]]


SEARCH_SUITES = {
    "Read": SearchSuite("envelope", _envelope_search),
    "Glob": SearchSuite("envelope", _envelope_search),
    "Glob_conflicts": SearchSuite("envelope", _envelope_search),
    "Grep": SearchSuite("envelope", _envelope_search),
    "grep_files": SearchSuite("codex", _codex_search),
    "forge_search": SearchSuite("forge", _forge_search),
    "forge_glob": SearchSuite("forge", _forge_search),
    "forge_read": SearchSuite("forge", _forge_search),
}
"""Every recorded file of the search tools, but `Grep_rg`: its engine is not offered."""

_SUITES |= {name: suite.load for name, suite in SEARCH_SUITES.items()}
SUITES = tuple(_SUITES)
"""The names of the suites, which are those of their files."""
