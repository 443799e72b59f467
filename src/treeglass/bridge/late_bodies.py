"""Gives functions the bodies that the start-up image has left out.

In an image, most functions of Python and of pydantic are stubs, which know `fetch_bodies` as
`__fetch_bodies__`. Nothing calls it on CPython, or after a start from the packages.

Only a request can wait for bodies and run again: `with_bodies` makes `Bridge.handle` do so.
Outside of a request, the caller of a stub gets the exception of `fetch_bodies`, and nothing runs
again. So the worker calls only functions there that keep their bodies: the start, the opening of
a bridge, and what Pyodide does between two requests. `body_stubs.py` in
`build_steps/runtime/inside_pyodide/` names their files, and the profile has the rest. Python that a
test runs in an interpreter from an image is run by `with_bodies`, as a request is.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from types import CodeType, FunctionType
from typing import Any, NoReturn, ParamSpec

P = ParamSpec("P")

_IS_FUNCTION = 0x1

_modules_with_bodies: list[str] = []


class BodiesPlaced(Exception):
    """A module's functions have their bodies now: the request runs again from its start.

    The call that a stub stands for could not go on in its place: code that looks at the stack
    would find the stub there.
    """


def fetch_bodies() -> NoReturn:
    """Give all functions of the calling stub's module their bodies.

    Raises:
        ImportError: The archive with the bodies has not arrived. The worker fetches it, and runs
            the request again.
        BodiesPlaced: The bodies are in place.
        RuntimeError: They were in place already; another run would only come here again.
    """
    stub = sys._getframe(1)  # noqa: SLF001 - the only way to the caller
    spec = stub.f_globals["__spec__"]
    if spec.name in _modules_with_bodies:
        raise RuntimeError(f"{stub.f_code.co_qualname} of {spec.name} has no body")
    bodies = dict(_functions_in(spec.loader.get_code(spec.name)))
    # The image's objects are frozen, and would not be listed.
    gc.unfreeze()
    for function in gc.get_objects():
        if type(function) is FunctionType and function.__globals__ is stub.f_globals:
            code = function.__code__
            if code.co_names == stub.f_code.co_names:
                function.__code__ = bodies[code.co_qualname, code.co_firstlineno]
    _modules_with_bodies.append(spec.name)
    raise BodiesPlaced(spec.name)


def with_bodies(
    run: Callable[P, str],
    *,
    state: Callable[[], list[dict[str, Any]]] = list,
    is_discarded: Callable[[], bool] = bool,
) -> Callable[P, str]:
    """Return a function that returns the outcome of the first run that has called no stub.

    A run that caught `BodiesPlaced` does not count: it went on with a wrong outcome. Nor does one
    whose outcome the caller discards. What a run has changed of `state`, the attributes of all that
    it can change, is taken back unless it counts, so no run finds its own changes.
    """

    def run_again(*args: P.args, **kwargs: P.kwargs) -> str:
        while True:
            placed = len(_modules_with_bodies)
            before: list[tuple[dict[str, Any], dict[str, Any]]] = []
            counts = False
            try:
                before = [(each, each.copy()) for each in state()]
                outcome = run(*args, **kwargs)
                is_wanted = not is_discarded()
                if len(_modules_with_bodies) == placed:
                    counts = is_wanted
                    return outcome
            except BodiesPlaced:
                continue
            finally:
                if not counts:
                    # No function of ours, which could be a stub.
                    for attributes, copy in before:
                        attributes.update(copy)

    # Not by `wraps`, which is a stub itself in an image.
    run_again.__doc__ = run.__doc__
    return run_again


def _functions_in(code: CodeType) -> Iterator[tuple[tuple[str, int], CodeType]]:
    """Yield all functions of a module, by their names and lines."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            if constant.co_flags & _IS_FUNCTION:
                yield (constant.co_qualname, constant.co_firstlineno), constant
            yield from _functions_in(constant)
