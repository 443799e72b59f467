import json
from pathlib import Path

import pytest

from tests.support.offered_tools import names_of_family
from tests.unit.command.conftest import RunCommand


@pytest.mark.parametrize(
    ("family", "names"),
    [
        *((family, names_of_family(family)) for family in ("codex", "envelope", "forge")),
        ("all", names_of_family("all", is_default=True)),
    ],
)
def test_one_family_is_printed_or_all_of_them(
    treeglass: RunCommand, family: str, names: list[str]
) -> None:
    code, printed, _ = treeglass("tools", "--family", family)

    assert (code, [tool["name"] for tool in json.loads(printed)]) == (0, names)


@pytest.mark.parametrize(
    "text", ['[tools]\nfamily = "forge"', ' {"tools": {"family": "forge"}}', '\ufeff{"tools": {}}']
)
def test_a_configuration_is_toml_or_json_and_the_option_replaces_its_family(
    treeglass: RunCommand, tmp_path: Path, text: str
) -> None:
    file = tmp_path / "configuration"
    file.write_text(text, "utf-8")

    _, printed, _ = treeglass("tools", "--config", str(file), "--family", "envelope")

    assert [tool["name"] for tool in json.loads(printed)] == ["Glob", "Grep", "LS", "Read"]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (
            "{",
            (
                "not a JSON document: Expecting property name enclosed in double quotes: line 1 "
                "column 2 (char 1)"
            ),
        ),
        (
            "{" * 99_999,
            (
                "not a JSON document: Expecting property name enclosed in double quotes: "
                "line 1 column 2 (char 1)"
            ),
        ),
        ('{"tools": ' + "[" * 99_999, "not a JSON document: it is nested too deeply"),
        (
            "tools",
            (
                "not a TOML document: Expected '=' after a key in a key/value pair "
                "(at end of document)"
            ),
        ),
    ],
)
def test_a_file_that_is_neither_toml_nor_json_is_wrong_usage(
    treeglass: RunCommand, tmp_path: Path, text: str, complaint: str
) -> None:
    file = tmp_path / "configuration"
    file.write_text(text, "utf-8")

    done = treeglass("tools", "--config", str(file))

    assert done == (2, "", f"treeglass: {complaint}\n")
