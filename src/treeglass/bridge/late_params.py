"""Checks of the parameters of late methods, by hand: a late model would need all of pydantic."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from treeglass.bridge.params import BadRequest


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


def checked(method: str, parameters: Mapping[str, Parameter], params: object) -> list[object]:
    """Return all parameters' values in order.

    `BadRequest` says what is wrong as the client does, which calls `keepChange` only `keep`, and
    takes a path before its options.
    """
    caller = method.removesuffix("Change")
    options = sorted(parameters.keys() - {"path"})
    known = f"the known ones are {', '.join(options)}" if options else "it has none"
    if not isinstance(params, dict):
        raise BadRequest(f"{caller} takes its options as an object; {known}.")
    for name in params:
        if name not in parameters:
            raise BadRequest(f"{caller} has no option {name}; {known}.")
    for name, (is_right, expected, default) in parameters.items():
        if not is_right(params[name]) if name in params else default is ...:
            subject = f"{caller} takes" if name == "path" else f"The option {name} of {caller} is"
            raise BadRequest(f"{subject} {expected}.")
    return [params.get(name, parameter.default) for name, parameter in parameters.items()]
