"""`Edit` and `Write` where no recorded call goes: limits, budgets, summaries and arguments."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.unit.tools.forge.changing_tools import Tools
from treeglass import Config, Limits

MakeTree = Callable[[Mapping[str, str | bytes | None]], Path]
LATER = "change less in one call"


def test_the_configuration_refuses_in_the_words_of_a_denied_pattern(make_tree: MakeTree) -> None:
    edit = {"allow": ["src/**"], "deny": ["**/lock"]}
    tools = Tools(make_tree({"src/a": ""}), edit=edit)

    assert tools("Write", path="src/lock", content="x").content == (
        "Sandbox violation: Path '/project/src/lock' matched denied pattern '**/lock'"
    )
    assert tools.edit("F top", "T", "x", ".").content == (
        "Sandbox violation: Path '/project/top' cannot be changed: "
        "it matches no pattern of tools.edit.allow"
    )
    assert tools("Write", path="src/b", content="x").content == "Created /project/src/b (1 bytes)"


@pytest.mark.parametrize(
    ("limits", "lines", "error"),
    [
        ({"max_patch_bytes": 20}, ("F n", "T", "xxxxxxx", "."), "Patch exceeds max_patch_bytes"),
        ({"max_edits": 2}, ("F n", "N+", "N-", "F m"), f"Patch exceeds max_edits (2); {LATER}"),
        (
            {"max_changed_file_bytes": 3},
            ("F n", "T", "abcd", "."),
            f"Patch exceeds max_changed_file_bytes (3); {LATER}",
        ),
        (
            {"max_proposal_bytes": 3},
            ("F n", "T", "ab", ".", "F m", "T", "cd", "."),
            f"Patch exceeds max_proposal_bytes (3); {LATER}",
        ),
        (
            {"max_proposal_entries": 1},
            ("F n", "T", "ab", ".", "F m", "T", "cd", "."),
            f"Patch exceeds max_proposal_entries (1); {LATER}",
        ),
    ],
)
def test_a_patch_over_a_limit_changes_nothing(
    make_tree: MakeTree, limits: dict[str, int], lines: tuple[str, ...], error: str
) -> None:
    tools = Tools(make_tree({"a": ""}), Limits(**limits))

    assert (tools.edit(*lines).content, tools.proposed) == (f"Bad tool args: {error}", {})


def test_a_patch_has_at_most_512_kib(tools: Tools) -> None:
    largest = "LP1\nEND\n" + "#" * (512 * 1024 - 8)

    assert tools("Edit", patch=largest).content == "No changes applied."
    assert tools("Edit", patch=largest + "#").content == (
        "Bad tool args: Patch exceeds max_patch_bytes"
    )


def test_content_over_a_limit_is_not_written(make_tree: MakeTree) -> None:
    root = make_tree({"a": ""})
    of_call = Tools(root, Limits(max_patch_bytes=3))
    of_file = Tools(root, Limits(max_changed_file_bytes=3))

    assert of_call("Write", path="n", content="éé").content == (
        "Bad tool args: Content exceeds max_patch_bytes"
    )
    assert of_file("Write", path="n", content="éé").content == (
        f"Bad tool args: Content exceeds max_changed_file_bytes (3); {LATER}"
    )


def test_a_file_over_the_bound_of_reads_cannot_be_edited(make_tree: MakeTree) -> None:
    tools = Tools(make_tree({"a": "12345"}), forge_read={"max_file_read_bytes": 4})

    assert tools.edit("F a", "T", "x", ".").content == (
        'Patch failed for "/project/a": '
        "File too large for Edit tool (5 bytes > 4 max_file_read_bytes)"
    )


def test_what_an_answer_shows_is_cleaned_and_what_is_written_is_not(make_tree: MakeTree) -> None:
    text = "\x1b[31mred\u200b AIzaX"
    root = make_tree({"a": ""})
    cleaned, plain = Tools(root), Tools(root, forge_read={"sanitize": False})
    results = [each.edit("F n", "T", text, ".") for each in (cleaned, plain)]

    assert [result.content for result in results] == ["1 +red AIza***\n", f"1 +{text}\n"]
    assert [result.warnings for result in results] == [
        (
            (
                "Characters or keys are taken out or masked in what the answer shows; "
                "the files have them."
            ),
        ),
        (),
    ]
    assert cleaned.proposed == plain.proposed == {"n": text.encode()}


def test_hostile_characters_of_a_name_are_spelled_out(tools: Tools, tmp_path: Path) -> None:
    root = next(path.parent for path in tmp_path.rglob("a.txt"))
    (root / "odd\nname").write_text("x\n")
    tools("Read", path="odd\\u{A}name")
    patch = ("F odd\\u{A}name", "T", "y", ".", "F n", "T", "z", ".")

    assert tools.edit(*patch).content == (
        "modified: odd\\u{A}name\ncreated: n\n\n1  x\n2 +y\n\n\n1 +z\n"
    )


def test_paths_are_told_relative_to_the_working_directory(tools: Tools) -> None:
    result = tools.registry.call_tool(
        "Edit",
        {"patch": "LP1\nF n\nT\nx\n.\nF /project/m\nT\ny\n.\nEND"},
        working_dir="/project/d",
    )

    assert result.content == "created: n\ncreated: /project/m\n\n1 +x\n\n\n1 +y\n"


@pytest.mark.parametrize(
    ("patch", "summary"),
    [
        (["F a.txt", 'F "b c"'], "Apply patch to 2 file(s): a.txt, b c"),
        ([], "Apply patch (no files)"),
        (["F a.txt", "X"], "Apply patch (no files)"),
        (["F ghp_0123456789abcdefghij/x"], "Apply patch to 1 file(s): [redacted]/x"),
        (
            [f"F {'a' * 300}"],
            f"Apply patch to 1 file(s): {'a' * 87}…{'a' * 86}",
        ),
        (['F "a\u200bb"'], "Apply patch to 1 file(s): a\\u{200B}b"),
    ],
)
def test_a_summary_names_the_files_of_a_patch(tools: Tools, patch: list[str], summary: str) -> None:
    text = "\n".join(["LP1", *patch, "END"])

    assert tools.registry.summarize_call("Edit", {"patch": text}) == summary


def test_a_summary_of_a_new_file_has_its_size() -> None:
    from treeglass.tools.forge.changes.arguments import WriteArgs, summarize_write  # noqa: PLC0415

    args = WriteArgs(path="a//token=abc", content="é\n")

    assert summarize_write(args, Config()) == "Write new file: a/token=[redacted] (3 bytes)"
    long = summarize_write(args._replace(path="x" * 500), Config())
    assert (len(long), long[-11:]) == (200, "x (3 bytes)")


@pytest.mark.parametrize(
    ("tool", "arguments", "error"),
    [
        ("Edit", {}, "Bad tool args: patch is missing"),
        ("Edit", {"patch": 1}, "Bad tool args: patch must be a string, not 1"),
        ("Write", {"path": "n"}, "Bad tool args: content is missing"),
    ],
)
def test_wrong_arguments_are_bad_tool_args(
    tools: Tools, tool: str, arguments: dict[str, object], error: str
) -> None:
    assert tools(tool, **arguments).content == error
