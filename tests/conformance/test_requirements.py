"""The gate: every requirement of `list_directory` is proven, and every proof is of one."""

import ast
import re
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.recorded import HERE, read_cases

REPOSITORY = HERE.parent.parent
REQUIREMENTS: dict[str, Any] = tomllib.loads((HERE / "requirements.toml").read_text("utf-8"))
CITED = {cited for case in read_cases("list_directory")["cases"] for cited in case["fr"]}


def test_every_requirement_of_the_document_is_here() -> None:
    families = Counter(re.sub(r"-\d+[ab]?$", "", name) for name in REQUIREMENTS if "-" in name)
    ours = {name: count for name, count in families.items() if not name.startswith("TE ")}

    assert ours == {
        "C": 5,
        "CFG-LD": 5,
        "FR-LD-DEF": 5,
        "FR-LD-ERR": 4,
        "FR-LD-LST": 9,
        "FR-LD-OUT": 10,
        "FR-LD-VAL": 13,
        "NFR-LD-PERF": 2,
        "NFR-LD-PORT": 1,
        "NFR-LD-REL": 2,
        "NFR-LD-SEC": 3,
        "T-LD": 14,
    }


def test_no_case_cites_an_unknown_requirement() -> None:
    assert CITED - set(REQUIREMENTS) == set()


@pytest.mark.parametrize("name", REQUIREMENTS)
def test_requirement_is_proven_as_it_says(name: str) -> None:
    requirement = REQUIREMENTS[name]

    assert set(requirement) == {"says", "cases", "tests"}
    assert requirement["cases"] == (name in CITED)
    assert requirement["cases"] or requirement["tests"], "nothing proves it"
    assert [test for test in requirement["tests"] if not is_a_test(test)] == []


def is_a_test(reference: str) -> bool:
    path, _, name = reference.partition("::")
    return name in functions_of(REPOSITORY / path)


def functions_of(path: Path) -> set[str]:
    if not path.exists():
        return set()
    tree = ast.parse(path.read_text("utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
