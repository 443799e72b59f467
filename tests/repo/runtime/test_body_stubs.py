"""A function whose body is late looks like itself, and gets its body once a request calls it."""

from __future__ import annotations

import builtins
import inspect
from types import CodeType, FunctionType, ModuleType, SimpleNamespace
from typing import Any

import pytest

from build_steps.runtime.inside_pyodide.body_stubs import with_stubs
from treeglass.bridge import late_bodies
from treeglass.bridge.late_bodies import BodiesPlaced, fetch_bodies, with_bodies

_SOURCE = '''
from __future__ import annotations


def total(first: int, /, second: int = 2, *others: int, scale: int = 1, **named: int) -> int:
    """Return a sum."""
    numbers = [first, second, *others, *named.values()]
    return scale * sum(number for number in numbers)


def counting(limit: int):
    for number in range(limit):
        yield f"{number} of {limit} numbers, and then the next one of them"


class Pair:
    def __init__(self, left: str, right: str) -> None:
        super().__init__()
        self.left, self.right = left.strip().casefold(), right.strip().casefold()

    def joined(self) -> str:
        return " and ".join(sorted([self.left, self.right], key=lambda text: (len(text), text)))


def kept(text: str) -> str:
    return " ".join(part for part in text.split() if part not in {"no", "nothing", "never"})
'''

_WHOLE = compile(_SOURCE, "late.py", "exec", dont_inherit=True, optimize=2)


class _Loader:
    """A loader whose archive may not have arrived."""

    def __init__(self, *, has_arrived: bool) -> None:
        self.has_arrived = has_arrived

    def get_code(self, name: str) -> CodeType:
        if not self.has_arrived:
            raise ImportError(name)
        return _WHOLE


@pytest.fixture(autouse=True)
def _stubs_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(builtins, "__fetch_bodies__", fetch_bodies, raising=False)
    # Each test has a module of its own, of the same name.
    monkeypatch.setattr(late_bodies, "_modules_with_bodies", [])


def _module(code: CodeType, *, has_arrived: bool = True) -> Any:
    module = ModuleType("late")
    loader = _Loader(has_arrived=has_arrived)
    vars(module)["__spec__"] = SimpleNamespace(name="late", loader=loader)
    exec(code, vars(module))  # noqa: S102 - the code is the one above
    return module


def _stubbed(*warm: str) -> CodeType:
    return with_stubs(_WHOLE, "late.py", [f"late.py {name}" for name in warm])


def _appearance(function: Any) -> tuple[object, ...]:
    return (
        function.__name__,
        function.__qualname__,
        function.__doc__,
        function.__module__,
        str(inspect.signature(function)),
        inspect.isgeneratorfunction(function),
        function.__code__.co_firstlineno,
    )


def test_a_stub_looks_like_its_function() -> None:
    stubbed, whole = _module(_stubbed()), _module(_WHOLE)

    for name in ("total", "counting", "Pair.__init__", "Pair.joined"):
        owner, _, last = name.rpartition(".")
        found, expected = (
            getattr(getattr(module, owner) if owner else module, last)
            for module in (stubbed, whole)
        )
        assert _appearance(found) == _appearance(expected)
        assert len(found.__code__.co_code) < len(expected.__code__.co_code)


def test_a_run_that_calls_a_stub_runs_again_with_the_bodies_of_the_module() -> None:
    module = _module(_stubbed())
    runs = []

    def run() -> str:
        runs.append("run")
        parts = [str(module.total(1, 5, 7, scale=2, more=3)), *module.counting(1)]
        return "; ".join([*parts, module.Pair(" B ", "a").joined()])

    assert with_bodies(run)() == ("32; 0 of 1 numbers, and then the next one of them; a and b")
    assert runs == ["run", "run"]


def test_a_run_that_caught_the_error_of_a_stub_does_not_count() -> None:
    module = _module(_stubbed())

    def run() -> str:
        try:
            return str(module.total(1))
        except BodiesPlaced:
            return "wrong"

    assert with_bodies(run)() == "3"


def test_a_run_that_starts_again_does_not_find_its_own_changes() -> None:
    module = _module(_stubbed())
    owner = SimpleNamespace(lines=())

    def run() -> str:
        owner.lines = (*owner.lines, "added")
        return f"{module.total(1)} {owner.lines}"

    assert with_bodies(run, state=lambda: [vars(owner)])() == "3 ('added',)"
    assert owner.lines == ("added",)


def test_a_run_that_the_caller_discards_leaves_nothing() -> None:
    owner = SimpleNamespace(lines=())
    discarded = iter([True, False])

    def run() -> str:
        owner.lines = (*owner.lines, "added")
        return str(owner.lines)

    handle = with_bodies(run, state=lambda: [vars(owner)], is_discarded=lambda: next(discarded))
    assert [handle(), handle()] == ["('added',)", "('added',)"]
    assert owner.lines == ("added",)


def test_a_run_that_fails_leaves_nothing() -> None:
    module = _module(_stubbed(), has_arrived=False)
    owner = SimpleNamespace(lines=())

    def run() -> str:
        owner.lines = (*owner.lines, "added")
        return str(module.total(1))

    with pytest.raises(ImportError, match=r"^late$"):
        with_bodies(run, state=lambda: [vars(owner)])()
    assert owner.lines == ()


def test_a_stub_stays_while_the_archive_of_its_module_is_missing() -> None:
    module = _module(_stubbed(), has_arrived=False)

    with pytest.raises(ImportError, match=r"^late$"):
        with_bodies(lambda: str(module.total(1)))()
    vars(module)["__spec__"].loader.has_arrived = True
    assert with_bodies(lambda: str(module.total(1)))() == "3"


def test_a_stub_that_is_copied_in_each_run_ends_in_an_error() -> None:
    module = _module(_stubbed())
    stub = module.kept.__code__

    with pytest.raises(RuntimeError, match=r"^kept of late has no body$"):
        with_bodies(lambda: str(FunctionType(stub, vars(module))("text")))()


def test_a_function_of_the_profile_keeps_its_body() -> None:
    module = _module(_stubbed("kept:25"), has_arrived=False)

    assert module.kept("there is nothing new") == "there is new"


def test_two_functions_of_one_name_and_line_keep_their_bodies() -> None:
    body = "return [x, x + 1, x + 2, x + 3, len(str(x)), repr(x), abs(x), hash(x), bool(x)]"
    code = compile(f"def f(x): {body}", "late.py", "exec")
    twice = code.replace(co_consts=(*code.co_consts, *code.co_consts))

    assert with_stubs(code, "late.py", []).co_consts != code.co_consts
    assert with_stubs(twice, "late.py", []).co_consts == twice.co_consts
