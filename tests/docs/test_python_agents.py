"""The program for Pydantic AI, with a model that sends null for what it leaves out."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from tests.docs.blocks.code_blocks import DOCS

_PROGRAM = re.compile(r"In `ask_pydantic_ai\.py`:\n\n```python\n(.*?)```", re.DOTALL)


class _Tool:
    """The part of the library's class that the program uses."""

    def __init__(self, call: Callable[..., str], name: str, schema: dict[str, Any]) -> None:
        self.call, self.name, self.schema = call, name, schema

    @classmethod
    def from_schema(
        cls, call: Callable[..., str], *, name: str, description: str, json_schema: dict[str, Any]
    ) -> _Tool:
        assert description
        return cls(call, name, json_schema)


class _Agent:
    """An agent whose model reads one file, and says what the tool answered."""

    def __init__(self, model: str, *, instructions: str, tools: list[_Tool]) -> None:
        assert (model, bool(instructions)) == ("a model", True)
        self._tools = {tool.name: tool for tool in tools}

    def run_sync(self, _question: str) -> SimpleNamespace:
        tool = self._tools["read_file"]
        nulls = dict.fromkeys(tool.schema["properties"])
        return SimpleNamespace(output=tool.call(**{**nulls, "file_path": "/repo/todo.md"}))


def test_the_program_for_pydantic_ai_reads_a_null_as_absent(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "todo.md").write_text("# To do\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MODEL", "a model")
    library, models = ModuleType("pydantic_ai"), ModuleType("pydantic_ai.models.openai")
    vars(library).update(Agent=_Agent, Tool=_Tool)
    vars(models).update(OpenAIChatModel=lambda name: name)
    monkeypatch.setitem(sys.modules, library.__name__, library)
    monkeypatch.setitem(sys.modules, models.__name__, models)
    (program,) = _PROGRAM.findall((DOCS / "python-agents.md").read_text("utf-8"))

    exec(compile(program, "ask_pydantic_ai.py", "exec"), {"__name__": "__main__"})  # noqa: S102  # the page's own program

    assert capsys.readouterr().out == "L1: # To do\n"
