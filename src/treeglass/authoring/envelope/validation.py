"""The Standard Envelope v1.0: one JSON object around every answer of a tool.

Its models and its validator, which know no tool; `envelope_building` makes
envelopes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
    model_validator,
)

from treeglass.tools.envelope.envelope_building import (  # noqa: TC001  # pydantic reads them
    EnvelopeStatus,
    ErrorCode,
    TruncationDirection,
)


class _Part(BaseModel):
    # Built when first used, since most importers never validate an envelope.
    model_config = ConfigDict(
        defer_build=True, extra="forbid", strict=True, frozen=True, allow_inf_nan=False
    )


def _refuse_null(value: object) -> object:
    if value is None:
        message = "must be left out or have a value, not null"
        raise ValueError(message)
    return value


class EnvelopeError(_Part):
    """Why a call failed: a code for the host, a sentence for the model."""

    code: ErrorCode
    message: str = Field(min_length=1)


class Stats(_Part):
    """`time_ms` and any counters of the tool, each a number or a string."""

    model_config = ConfigDict(extra="allow")

    time_ms: float = Field(ge=0, description="Time the call took, in milliseconds.")

    @model_validator(mode="after")
    def _counters_are_plain(self) -> Stats:
        odd = [key for key, value in (self.model_extra or {}).items() if not is_plain(value)]
        if odd:
            message = f"{', '.join(odd)}: must be a number or a string"
            raise ValueError(message)
        return self


def is_plain(value: object) -> bool:
    """Tell whether a value may stand in `stats`: a finite number or a string."""
    if isinstance(value, bool):
        return False
    if isinstance(value, float):
        return math.isfinite(value)
    return isinstance(value, int | str)


class EnvelopeContext(_Part):
    """Where the call ran and what it was given; further keys are free."""

    model_config = ConfigDict(extra="allow")

    cwd: str = Field(
        min_length=1, description="Working directory, relative to the project root; '.' for it."
    )
    params_input: Any = Field(description="The arguments exactly as they were passed.")
    path_resolved: str | None = Field(
        default=None, min_length=1, description="The final path, relative to the project root."
    )
    truncation_skip: bool | None = Field(
        default=None, description="Asks the framework's output truncation to leave this alone."
    )

    _never_null = field_validator("path_resolved", "truncation_skip", mode="before")(_refuse_null)


class Truncation(_Part):
    """What the framework's output truncation cut; see `truncation`."""

    model_config = ConfigDict(extra="allow")

    direction: TruncationDirection
    max_lines: int = Field(ge=0)
    max_bytes: int = Field(ge=0)
    head_tail_lines: int | None = Field(default=None, ge=0)
    original_lines: int = Field(ge=0)
    original_bytes: int = Field(ge=0)
    kept_lines: int = Field(ge=0)
    kept_bytes: int = Field(ge=0)
    full_output_path: str | None = None

    _never_null = field_validator("full_output_path", mode="before")(_refuse_null)


class Envelope(_Part):
    """A whole envelope; validation refuses everything that the protocol does not allow."""

    status: EnvelopeStatus
    data: dict[str, Any]
    text: str
    error: EnvelopeError | None = None
    stats: Stats
    context: EnvelopeContext

    _never_null = field_validator("error", mode="before")(_refuse_null)

    @field_validator("text")
    @classmethod
    def _not_blank(cls, text: str) -> str:
        if not text.strip():
            message = "must not be blank"
            raise ValueError(message)
        return text

    @model_validator(mode="after")
    def _means_something(self) -> Envelope:
        claims: dict[str, object] = {"status": self.status, "data": self.data}
        if "error" in self.model_fields_set:
            claims["error"] = self.error
        if faults := _contradictions(claims):
            raise ValueError("; ".join(faults))
        return self


def validate_envelope(candidate: object) -> list[str]:
    """Return how a decoded JSON value violates the protocol.

    Implements the V- and S-rules and the blank-text rule of the protocol.

    Returns:
        One sentence for each violation, which begins with the key; an empty
        list for a valid envelope.
    """
    if not isinstance(candidate, Mapping):
        return ["the envelope must be a JSON object"]
    return faults_of(Envelope, candidate) + _contradictions(candidate)


def faults_of(model: type[BaseModel], candidate: Mapping[str, Any], prefix: str = "") -> list[str]:
    """Return a sentence for each field that a model refuses; it begins with the path."""
    try:
        model.model_validate(dict(candidate))
    except ValidationError as error:
        # Faults of the whole model have no path, and the caller words them itself.
        faults = error.errors(include_url=False, include_input=False)
        return [f"{prefix}{_path(fault['loc'])}: {_say(fault)}" for fault in faults if fault["loc"]]
    return []


def _path(location: tuple[int | str, ...]) -> str:
    return ".".join(map(str, location))


def _say(fault: Any) -> str:
    if fault["type"] == "extra_forbidden":
        return "unknown key"
    if fault["type"] == "value_error":
        return str(fault["ctx"]["error"])
    return str(fault["msg"])


def is_framework_form(data: Mapping[str, Any]) -> bool:
    """Tell whether the framework's output truncation wrote this data."""
    return data.get("truncated") is True and "truncation" in data and "preview" in data


def _contradictions(envelope: Mapping[str, Any]) -> list[str]:
    """Return how status, error and data disagree (the S-rules), in any shape."""
    status, data = envelope.get("status"), envelope.get("data")
    faults = []
    if status == "error" and "error" not in envelope:
        faults.append("error: required where status is 'error'")
    # Compared one by one: a status that is not text may be unhashable.
    if status in ("success", "partial") and "error" in envelope:
        faults.append("error: allowed only where status is 'error'")
    if not isinstance(data, Mapping):
        return faults
    if not isinstance(data.get("truncated", False), bool):
        faults.append("data.truncated: must be true or false")
    if status == "success" and data.get("truncated") is True:
        faults.append("data.truncated: needs the status 'partial'")
    if status == "success" and "fallback" in data:
        faults.append("data.fallback: needs the status 'partial'")
    if is_framework_form(data):
        block = data["truncation"]
        if not isinstance(block, Mapping):
            faults.append("data.truncation: must be an object")
        else:
            faults += faults_of(Truncation, block, "data.truncation.")
    elif status == "error" and data.get("truncated") is True:
        faults.append("data.truncated: on an error needs data.truncation and data.preview")
    return faults
