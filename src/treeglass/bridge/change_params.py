"""The parameters of each method about changes."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from treeglass.bridge.params import Params, VirtualPath, from_base64

Base64Bytes = Annotated[bytes, BeforeValidator(from_base64)]
Mark = Annotated[int, Field(ge=0)]
Names = Annotated[list[str], Field(max_length=100_000)]


class ChangesParams(Params):
    """Sent to learn what is proposed, or what has changed since a step."""

    since: Mark = 0


class DiffChangeParams(Params):
    """Sent to see how a path changes."""

    path: VirtualPath
    start: Annotated[Mark | Literal["base"], Field(alias="from")] = "base"
    end: Annotated[Mark | Literal["now"], Field(alias="to")] = "now"


class RejectChangeParams(Params):
    """Sent when a person does not want a change, or some hunks of it."""

    path: VirtualPath
    hunks: Names | None = None
    reason: str | None = None


class KeepChangeParams(Params):
    """Sent when a person wants a change, or some hunks of it."""

    path: VirtualPath
    hunks: Names | None = None


class NoParams(Params):
    """Sent for a method that has no parameters."""


class ExportChangesParams(Params):
    """Sent to take the changes away."""

    format: Literal["patch", "archive", "manifest"]
    leave_out: Names = Field(default_factory=list)
    """Paths, and keys of hunks."""


class RestoreStateParams(Params):
    """Sent with what `saveState` gave."""

    state: Base64Bytes
