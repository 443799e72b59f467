"""Checks of the parameters of late methods, by hand: a late model would need all of pydantic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from treeglass.bridge.params import BadRequest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class Parameter(NamedTuple):
    """A parameter of a method, by its name on the wire."""

    is_right: Callable[[Any], bool]
    expected: str
    """The expected type, in words for the page."""
    default: object = ...
    """The default; a required one has none."""


def is_text(value: Any) -> bool:
    """Tell whether a value is a text."""
    return isinstance(value, str)


def is_path(value: Any) -> bool:
    """Tell whether a value is an absolute virtual path."""
    return is_text(value) and value.startswith("/")


def checked(subject: str, parameters: Mapping[str, Parameter], params: object) -> list[object]:
    """Return all parameters' values in order; `BadRequest` names a wrong one after the subject."""
    if not isinstance(params, dict):
        raise BadRequest(f"{subject}: Input should be a dictionary")
    for name, (is_right, expected, default) in parameters.items():
        if name in params and not is_right(params[name]):
            raise BadRequest(f"{subject}.{name}: Input should be {expected}")
        if name not in params and default is ...:
            raise BadRequest(f"{subject}.{name}: Field required")
    for name in params:
        if name not in parameters:
            raise BadRequest(f"{subject}.{name}: Extra inputs are not permitted")
    return [params.get(name, parameter.default) for name, parameter in parameters.items()]
