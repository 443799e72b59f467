"""The directive `treeglass-demo`, parsed alike in every markup language."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from treeglass.authoring.demo import (
    DEFAULT_ARGUMENTS,
    DEFAULT_MOUNT_PATH,
    PRESENTATION,
    Demo,
    DemoInvalid,
    InlineTree,
    Tree,
    TreeAt,
    TreeOfPackage,
    parse_max_output_bytes,
)
from treeglass.authoring.javascript_json import parse_json

DIRECTIVE = "treeglass-demo"
"""The directive's name, and the element's."""

OPTIONS = (
    *("tree", "entries", "integrity", "mount-path", "config", "max-output-bytes"),
    *PRESENTATION,
)
"""The directive's options; its tool and its arguments are not options."""

_ADDRESS = re.compile(r"https?://", re.IGNORECASE)
_LINE_END = re.compile(r"\r\n?|\n")
# Not `splitlines`, which also ends lines at characters that JSON may hold in a string.
_OPTION = re.compile(r":(?P<name>[A-Za-z][A-Za-z0-9-]*):(?:[ \t]+(?P<value>.*))?")


@dataclass(frozen=True, slots=True)
class Directive:
    """One directive, checked; its tree may still have to be brought into the site."""

    demo: Demo
    """If there is a `tree_path`, its tree is that path until the site has the tree."""
    tree_path: str | None
    """A directory or a file: relative to the page, or to the source root with a leading slash."""


def parse_directive(
    tool: str, options: Mapping[str, str], content: str, *, default_tree: str | None = None
) -> Directive:
    """Return a directive, checked; `DemoInvalid` names an option or a content that is invalid.

    An empty content is `{}`. A path in the site's `default_tree` is relative to the source root.
    """
    for name in options:
        if name not in OPTIONS:
            raise DemoInvalid(f"unknown option {name!r}; {DIRECTIVE} takes {', '.join(OPTIONS)}")
    tree, tree_path = _tree(options, default_tree)
    demo = Demo(
        tool=tool.strip(),
        arguments=_one_line(content) or DEFAULT_ARGUMENTS,
        tree=tree,
        mount_path=options.get("mount-path", DEFAULT_MOUNT_PATH),
        config=options.get("config"),
        max_output_bytes=parse_max_output_bytes(options.get("max-output-bytes")),
        presentation={name: options[name] for name in PRESENTATION if name in options},
    )
    return Directive(demo, tree_path)


def _tree(options: Mapping[str, str], default_tree: str | None) -> tuple[Tree, str | None]:
    said, entries = options.get("tree"), options.get("entries")
    integrity = options.get("integrity")
    if entries is not None:
        if said is not None:
            raise DemoInvalid("tree and entries are both given; leave one of them out")
        _refuse_integrity(integrity, "entries stand in the page itself")
        return InlineTree(entries), None
    if said is None and default_tree:
        said = f"/{default_tree.lstrip('/')}" if is_path(default_tree) else default_tree
    if not said:
        raise DemoInvalid(
            "tree is missing; name a directory or an archive, or set one for the whole site"
        )
    if "\0" in said:
        raise DemoInvalid("tree holds a NUL, which no path has; leave it out")
    match said.partition(":"):
        case ("npm" | "github") as kind, ":", name:
            _refuse_integrity(integrity, f"the list of {kind} packages has the hash of every file")
            return TreeOfPackage(kind, name), None
        case _:
            return TreeAt(said, integrity), said if is_path(said) else None


def _refuse_integrity(integrity: str | None, reason: str) -> None:
    if integrity is not None:
        raise DemoInvalid(f"integrity is for a fetched archive or manifest: {reason}")


def is_address(text: str) -> bool:
    """Tell whether a tree or a script is named by an `http:` or `https:` address."""
    return _ADDRESS.match(text) is not None


def is_path(tree: str) -> bool:
    """Tell whether the option `tree` names a directory or a file of the sources."""
    return not tree.startswith(("npm:", "github:")) and not is_address(tree)


def _one_line(content: str) -> str:
    text = content.strip()
    try:
        parse_json(text)
    except ValueError:
        return text  # as it is: the demo refuses it and says why
    return " ".join(line.strip() for line in _LINE_END.split(text))


def split_fence(lines: Sequence[str]) -> tuple[dict[str, str], str]:
    """Return the options and the content of a directive that is written as a fence.

    Options stand first, one `:name: value` a line, each at most once; an indented line belongs to
    the value above it.
    """
    options: dict[str, str] = {}
    name = ""
    taken = 0
    for line in lines:
        found = _OPTION.fullmatch(line.rstrip())
        if found is not None:
            name = found["name"]
            if name in options:
                raise DemoInvalid(f"{name} is given twice; leave one of them out")
            options[name] = (found["value"] or "").strip()
        elif name and line.startswith((" ", "\t")) and line.strip():
            options[name] = f"{options[name]} {line.strip()}".strip()
        else:
            break
        taken += 1
    return options, "\n".join(lines[taken:]).strip()


_STARTS = {"click": "On click", "visible": "When it comes into view", "eager": "Once loaded"}


def describe_call(demo: Demo) -> str:
    """Return a demo's tool and arguments in one line."""
    return f"{demo.tool} {demo.arguments}"


def describe_unrecorded(demo: Demo) -> str:
    """Return the sentence that a page shows in place of a recorded answer."""
    start = _STARTS[demo.presentation.get("loading", "click")]
    match demo.tree:
        case TreeOfPackage(kind, name):
            tree = f"{kind}:{name}"
        case TreeAt(address):
            tree = address
        case _:
            tree = "the entries of this page"
    return (
        f"{start}, this page fetches {tree} and shows what {demo.tool} answers to {demo.arguments}."
    )
