"""The state before a call, the call, and its answer."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol, runtime_checkable

from tests.conformance.trees import Json, Tree


class Capability(StrEnum):
    """A capability that a recorded case needs of its host, beyond ordinary files."""

    RAW_NAMES = "bytes in names that are no UTF-8"
    PIPES = "pipes"
    PERMISSIONS = "permission bits that bind the caller"
    FAULTS = "faults injected below the workspace, and a time limit of a nanosecond"
    """Elsewhere a clock may stand still between two looks."""
    PATH_MAX = "refusal of paths over PATH_MAX"
    LONG_NAMES = "names of 255 bytes"
    BACKSLASHES = "backslashes in names"
    MILLISECONDS = "times of one millisecond"
    LIBRARY = "the library folder of CPython 3.11.7"
    """Of the Python that runs the tests, and so of every host alike."""


class CannotStage(Exception):
    """A host cannot hold a scene; the text says what of it."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A mounted tree, a configuration, and the user who asks."""

    tree: Tree
    config: Json
    faults: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """`lstat` and `readdir`: path below the mount to the name of an errno, or OTHER."""
    unprivileged: bool = False
    """True if permission bits must bind the caller."""

    @property
    def key(self) -> tuple[Tree, str]:
        """The part that scenes share if one mount can serve them."""
        rest = [self.config, self.faults, self.unprivileged]
        return self.tree, json.dumps(rest, sort_keys=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """One call, as a client makes it."""

    tool: str
    arguments: Json | str
    working_dir: str | None = None
    max_output_bytes: int | None = None
    available_capacity_bytes: int | None = None
    time_ms: int | None = None


CHANGES = ToolCall(tool="", arguments={})
"""Asks for the manifest of what the calls since the last one have proposed, and discards that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A tool result, without the time that it took."""

    content: str
    structured_content: Any
    is_error: bool
    error_kind: str | None
    error_message: str | None
    truncated: bool
    next_arguments: Json | None
    warnings: tuple[str, ...]

    @classmethod
    def of_manifest(cls, manifest: Json) -> Answer:
        """Return the answer to `CHANGES`."""
        return cls(
            content="",
            structured_content=manifest,
            is_error=False,
            error_kind=None,
            error_message=None,
            truncated=False,
            next_arguments=None,
            warnings=(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class HostAbout:
    """A host's own description for the matrix."""

    version: str
    """The runtime's version as it says it, such as `Chromium 142.0.7444.59`."""
    start_ms: float
    """From the start of the client to its readiness; comparable within one run only."""


class Host(Protocol):
    """A runtime that the tools run on, reached through its public API."""

    @property
    def name(self) -> str:
        """How reports call it."""
        ...

    def answer(self, scene: Scene, calls: Sequence[ToolCall]) -> list[Answer | Exception]:
        """Mount, make every call in turn, unmount.

        No call may raise; one that does is answered with its error.

        Raises:
            CannotStage: The host cannot hold such a scene.
        """
        ...

    def close(self) -> None:
        """Release the host's resources."""
        ...


@runtime_checkable
class DescribedHost(Host, Protocol):
    """A host that can tell its version and how long its start took."""

    def about(self) -> HostAbout:
        """Return both; asked once, after every capability was probed."""
        ...
