"""The name that a misspelled one stands for."""

import pytest

from treeglass.config import Config
from treeglass.tool_names import nearest_name

KNOWN = ("LS", "Read", "apply_patch", "grep_files", "list_dir", "read_file")


@pytest.mark.parametrize(
    ("said", "nearest"),
    [
        ("listdir", "list_dir"),
        ("list_dirs", "list_dir"),
        ("raed_file", "read_file"),
        ("aply_pach", "apply_patch"),
        ("ls", "LS"),
        ("Reed", "Read"),
        ("list", None),
        ("rm", None),
        ("", None),
        ("write_file", None),
        ("x" * 100_000, None),
    ],
)
def test_a_name_is_near_if_few_letters_differ(said: str, nearest: str | None) -> None:
    assert nearest_name(said, KNOWN) == nearest


def test_of_several_names_the_nearest_counts_and_then_the_first_one() -> None:
    assert nearest_name("readfile", ["readfiles2", "readfile1"]) == "readfile1"
    assert nearest_name("read_fil", ["read_filz", "read_file"]) == "read_file"


def test_a_name_that_makes_another_word_is_that_of_another_programs_tool() -> None:
    names = ["load_file", "lint_dir", "grep_miles", "aply_pach"]

    document = {"tools": {"experimental_supported_tools": names}}
    assert Config.from_object(document).tools.experimental_supported_tools == names
