"""Put stubs in the place of functions' bodies; runs inside Pyodide.

A stub has the signature, the names and the line of its function. Called, it asks for the body;
`treeglass.bridge.late_bodies` finds that. Imports the standard library alone, and this file is
also run by its path.
"""

from __future__ import annotations

import builtins
import gc
import importlib
import marshal
import sys
from collections import Counter
from types import CodeType, FunctionType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

_WARM = (
    # Runs outside of a call, where nothing can wait for a body.
    *("_pyodide/", "pyodide/", "encodings/", "importlib/", "zipimport.py", "random.py"),
    # Keeps what it has read of a stream: no request can give it that again.
    *("bz2.py", "lzma.py", "compression/"),
    # Tells why something else failed.
    *("traceback.py", "linecache.py", "warnings.py", "_py_warnings.py"),
    # Says which bodies are late.
    "treeglass/",
)
"""The starts of files whose functions keep their bodies."""

_MAJOR, _MINOR, *_ = sys.version_info
_HOMES = (f"/lib/python{_MAJOR}{_MINOR}.zip/", f"/lib/python{_MAJOR}.{_MINOR}/site-packages/")

_IS_FUNCTION = 0x1
_HAS_VARIABLE_ARGUMENTS = (0x4, 0x8)
_HAS_DOCSTRING = 0x4000000
# Then the first constant is the docstring. A stub keeps all other flags: that of a generator says
# what kind of function it is, and alone makes no generator.

_FETCH = "__fetch_bodies__"
# A stub's bytecode is in the image once for each function: importing the function, it would be
# twice as long.


(_STUB,) = (
    constant
    for constant in compile(f"def stub(): return {_FETCH}()", "<stub>", "exec").co_consts
    if isinstance(constant, CodeType)
)


def name_of(code: CodeType) -> str:
    """Return what tells a function of a module from the others."""
    return f"{code.co_qualname}:{code.co_firstlineno}"


def file_of(code: CodeType) -> str | None:
    """Return the name of a function's file in its archive, or None if it is in none."""
    for home in _HOMES:
        if code.co_filename.startswith(home):
            return code.co_filename.removeprefix(home)
    return None


def with_stubs(code: CodeType, file: str, warm: Collection[str]) -> CodeType:
    """Return the code of a module, with stubs for the functions of its own and of its classes.

    Args:
        code: The module's.
        file: Its file in its archive.
        warm: The functions that keep their bodies, each as its file, a space and its name.
    """
    names = Counter(f"{file} {name_of(function)}" for function in _functions_of(code))
    # Two functions of one name could not be told apart.
    return _stubbed(code, file, {*warm, *(name for name, times in names.items() if times > 1)})


def _functions_of(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            if constant.co_flags & _IS_FUNCTION:
                yield constant
            yield from _functions_of(constant)


def _stubbed(code: CodeType, file: str, warm: Collection[str]) -> CodeType:
    constants = []
    for constant in code.co_consts:
        if not isinstance(constant, CodeType):
            constants.append(constant)
        elif not constant.co_flags & _IS_FUNCTION:
            constants.append(_stubbed(constant, file, warm))
        else:
            constants.append(_stub_of(constant) if _is_cold(constant, file, warm) else constant)
    return code.replace(co_consts=tuple(constants))


def finish(warm: Collection[str]) -> str:
    """Leave out the bodies that only the making of an image needed, and make stubs work.

    Args:
        warm: The functions that keep their bodies, as for `with_stubs`.

    Returns:
        The number of bodies that this has left out, as text.
    """
    setattr(builtins, _FETCH, importlib.import_module("treeglass.bridge.late_bodies").fetch_bodies)
    warm = set(warm)
    left_out = 0
    for function in gc.get_objects():
        if type(function) is FunctionType:
            code = function.__code__
            file = file_of(code)
            if file is not None and _is_cold(code, file, warm):
                function.__code__ = _stub_of(code)
                left_out += 1
    return str(left_out)


def _is_cold(code: CodeType, file: str, warm: Collection[str]) -> bool:
    return not (
        file.startswith(_WARM)
        # A lambda, which may share its line with others.
        or code.co_name.startswith("<")
        or f"{file} {name_of(code)}" in warm
        or len(marshal.dumps(code)) <= len(marshal.dumps(_stub_of(code)))
    )


def _stub_of(code: CodeType) -> CodeType:
    arguments = code.co_argcount + code.co_kwonlyargcount
    arguments += sum(1 for flag in _HAS_VARIABLE_ARGUMENTS if code.co_flags & flag)
    return _STUB.replace(
        co_argcount=code.co_argcount,
        co_posonlyargcount=code.co_posonlyargcount,
        co_kwonlyargcount=code.co_kwonlyargcount,
        co_varnames=code.co_varnames[:arguments],
        co_nlocals=arguments,
        co_freevars=code.co_freevars,
        co_flags=code.co_flags & ~_HAS_DOCSTRING,
        co_filename=code.co_filename,
        co_name=code.co_name,
        co_qualname=code.co_qualname,
        co_firstlineno=code.co_firstlineno,
    )
