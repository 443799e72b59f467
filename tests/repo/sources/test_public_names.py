"""The names that outsiders rely on are these, and no others."""

import types

import treeglass

PUBLIC_NAMES = [
    "Config",
    "ConfigInvalid",
    "Limits",
    "ToolAnnotations",
    "ToolDefinition",
    "ToolFailure",
    "ToolRegistry",
    "ToolResult",
    "TreeglassError",
    "Workspace",
    "WorkspaceInvalid",
    "__version__",
]


def test_public_names_are_exactly_these() -> None:
    assert treeglass.__all__ == PUBLIC_NAMES


def test_nothing_public_is_left_out_of_the_list() -> None:
    there = {
        name
        for name, value in vars(treeglass).items()
        if not name.startswith("_") and not isinstance(value, types.ModuleType)
    }

    assert there | {"__version__"} == set(PUBLIC_NAMES)


def test_every_public_name_says_what_it_promises() -> None:
    silent = [
        name
        for name in PUBLIC_NAMES
        if name != "__version__" and not getattr(treeglass, name).__doc__
    ]

    assert silent == []
