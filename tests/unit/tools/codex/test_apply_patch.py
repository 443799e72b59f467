"""`apply_patch`: paths, links, hunks that meet, limits, budgets and its summary."""

import time
from pathlib import Path

import pytest

from tests.unit.tools.codex.patch_calls import FAILURE, SUCCESS, Tree, add, delete, patch, update
from treeglass import Limits
from treeglass.tools.codex.changes.patch_edits import LineSearch
from treeglass.workspace.nodes import File

NOT_VERIFIED = "apply_patch verification failed: "
SEVERAL = f"{NOT_VERIFIED}invalid patch: multiple operations target "


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    (tmp_path / "a").write_bytes(b"one\ntwo\n")
    (tmp_path / "b").write_bytes(b"three\n")
    (tmp_path / "d").mkdir()
    (tmp_path / "d/x").write_bytes(b"x\n")
    (tmp_path / "ln").symlink_to("a")
    (tmp_path / "dl").symlink_to("d")
    (tmp_path / "dead").symlink_to("new/target")
    (tmp_path / "out").symlink_to("/etc/passwd")
    return Tree(tmp_path)


def test_the_input_is_a_text_a_json_text_or_an_object(tree: Tree) -> None:
    text = patch(*add("n", "1"))

    answers = [
        tree.registry.call_tool("apply_patch", text),
        tree.registry.call_tool(
            "apply_patch", '"*** Begin Patch\\n*** Delete File: n\\n*** End Patch"'
        ),
        tree.registry.call_tool("apply_patch", {"input": text}),
    ]

    assert [each.content for each in answers] == [
        f"{SUCCESS}A n\n",
        f"{SUCCESS}D n\n",
        f"{SUCCESS}A n\n",
    ]
    refused = tree.registry.call_tool("apply_patch", {"input": 1, "more": 2})
    assert refused.content == (
        "failed to parse function arguments: `input` must be a string, not 1; expected for example "
        '{"input": "*** Begin Patch\\n*** Add File: docs/notes.md\\n+# Notes\\n*** End Patch\\n"}'
    )


@pytest.mark.parametrize(
    "path", ["/", "/repo", ".", "..", "../repo", "/other/n", "out", f"n/{256 * 'n'}", "a/n", "n\0"]
)
def test_a_path_that_takes_no_file_cannot_be_written(tree: Tree, path: str) -> None:
    result = tree.apply(add(path, "1"))

    absolute = {".": "/repo", "..": "/", "../repo": "/repo"}.get(path, path)
    shown = absolute if absolute.startswith("/") else f"/repo/{path}"
    assert result.content == f"{FAILURE}Failed to write file {shown}\n"


@pytest.mark.parametrize(
    ("path", "shown", "cause"),
    [
        ("none", "/repo/none", "No such file or directory (os error 2)"),
        ("/etc/passwd", "/etc/passwd", "No such file or directory (os error 2)"),
        ("out", "/repo/out", "No such file or directory (os error 2)"),
        ("dead", "/repo/dead", "No such file or directory (os error 2)"),
        ("a/n", "/repo/a/n", "Not a directory (os error 20)"),
        ("d/", "/repo/d", "path `/repo/d` is not a file"),
        ("dl", "/repo/dl", "path `/repo/dl` is not a file"),
        ("/", "/", "path `/` is not a file"),
        (256 * "n", f"/repo/{256 * 'n'}", "File name too long (os error 36)"),
    ],
)
def test_a_path_without_a_file_can_be_neither_updated_nor_deleted(
    tree: Tree, path: str, shown: str, cause: str
) -> None:
    updated, deleted = tree.apply(update(path, "a", "b")), tree.apply(delete(path))

    assert updated.content == f"{NOT_VERIFIED}Failed to read file to update {shown}: {cause}"
    assert deleted.content == f"{NOT_VERIFIED}Failed to read {shown}: {cause}"


@pytest.mark.parametrize(
    ("hunks", "path"),
    [
        ((update("a", "one", "1"), delete("./a")), "a"),
        ((add("d/../n"), add("n", "1")), "n"),
        ((update("a", "one", "1", "c"), add("c", "2")), "c"),
        ((add("c", "2"), update("a", "one", "1", "c")), "c"),
        ((update("a", "one", "1", "c"), update("b", "three", "3", "d/../c")), "c"),
        ((update("a", "one", "1", "c"), update("b", "three", "3", "a")), "a"),
        ((update("b", "three", "3", "ln"), delete("a")), "a"),
        ((update("b", "three", "3", "a"), delete("ln")), "ln"),
        ((update("b", "three", "3", "d/n"), add("dl/n", "1")), "dl/n"),
    ],
)
def test_no_hunk_may_touch_what_another_one_changes_or_moves_a_file_to(
    tree: Tree, hunks: tuple[list[str], ...], path: str
) -> None:
    assert tree.apply(*hunks).content == f"{SEVERAL}/repo/{path}"
    assert tree.proposed == {}


def test_two_hunks_may_change_one_file_under_two_names(tree: Tree) -> None:
    result = tree.apply(update("a", "one", "1"), update("ln", "two", "2"))

    assert result.content == f"{SUCCESS}M a\nM ln\n"
    assert tree.proposed == {"a": b"1\n2\n"}


@pytest.mark.parametrize(
    ("hunks", "fault"),
    [
        (
            (delete("a"), update("ln", "two", "2")),
            "Failed to read file to update /repo/ln: No such file or directory (os error 2)",
        ),
        (
            (update("a", "two", "2"), update("ln", "two", "3")),
            "Failed to find expected lines in /repo/ln:\ntwo",
        ),
        ((add("n", "1"), add("n/m", "2")), "Failed to write file /repo/n/m"),
        ((add("n/m", "1"), add("n", "2")), "Failed to write file /repo/n"),
    ],
)
def test_what_an_earlier_hunk_leaves_may_not_take_a_later_one(
    tree: Tree, hunks: tuple[list[str], ...], fault: str
) -> None:
    assert tree.apply(*hunks).content == f"{FAILURE}{fault}\n"
    assert tree.proposed == {}


@pytest.mark.parametrize(
    ("path", "move_to"), [("a", "a"), ("a", "./d/../a"), ("a", "ln"), ("ln", "ln")]
)
def test_a_move_onto_itself_is_an_update(tree: Tree, path: str, move_to: str) -> None:
    result = tree.apply(update(path, "one", "1", move_to))

    assert result.content == f"{SUCCESS}M {move_to}\n"
    assert tree.proposed == {"a": b"1\ntwo\n"}


def test_a_moved_file_keeps_its_permissions(tree: Tree) -> None:
    (tree.folder / "b").chmod(0o755)

    tree.apply(update("b", "three", "3", "n"))

    proposal = tree.workspace.overlay.record.proposals["/repo/n"]
    assert proposal.after == File(b"3\n", 0o755)
    assert proposal.renamed_from == "/repo/b"


def test_relative_paths_start_from_the_working_directory_of_the_call(tree: Tree) -> None:
    result = tree.apply(update("x", "x", "y"), delete("../b"), working_dir="/repo/d")

    assert result.content == f"{SUCCESS}M x\nD ../b\n"
    assert tree.proposed == {"d/x": b"y\n", "b": None}


def test_a_spelled_name_is_that_of_the_file_that_is_there(tmp_path: Path) -> None:
    (tmp_path / "line\nfeed").write_bytes(b"1\n")
    tree = Tree(tmp_path)

    result = tree.apply(delete("line\\u{A}feed"))

    assert result.content == f"{SUCCESS}D line\\u{{A}}feed\n"
    assert tree.proposed == {"line\nfeed": None}


def test_a_path_that_the_configuration_refuses_is_named_with_its_pattern(tree: Tree) -> None:
    result = tree.apply(add(".git/hooks/x", "1"))

    assert result.content == (
        "patch rejected: /repo/.git/hooks/x may not be changed: "
        "it matches '**/.git/**' of tools.edit.deny"
    )


@pytest.mark.parametrize(
    ("limit", "value", "hunks"),
    [
        ("max_patch_bytes", 50, [add("n", "0123456789")]),
        ("max_changed_file_bytes", 8, [update("a", "two", "0123")]),
        ("max_changed_file_bytes", 10, [add("n", "0123456789")]),
        ("max_changed_file_bytes", 7, [update("a", "two", "2")]),
        ("max_edits", 2, [add("n"), [*update("a", "one", "1"), "@@", "-two"]]),
        ("max_proposal_bytes", 12, [add("n", "12345"), add("m", "123456")]),
        ("max_proposal_bytes", 7, [delete("a")]),
    ],
)
def test_nothing_is_proposed_above_a_limit(
    tree: Tree, limit: str, value: int, hunks: list[list[str]]
) -> None:
    limited = Tree(tree.folder, Limits(**{limit: value}))

    result = limited.apply(*hunks)

    assert result.content == (
        f"failed to apply the patch: {limit} is {value}; nothing was changed; "
        "send a smaller patch, for example of one file"
    )
    assert limited.proposed == {}


def test_a_report_over_the_budget_has_fewer_paths(tree: Tree) -> None:
    hunks = [add(f"new file {number}") for number in range(9)]
    result = tree.apply(*hunks, max_output_bytes=len(SUCCESS) + 30)

    assert result.content == f"{SUCCESS}A new file 0\nA new file 1\n"
    assert result.truncated
    assert len(tree.proposed) == len(hunks)


@pytest.mark.parametrize(
    ("lines", "run", "place"),
    [
        (["same\n"] * 45_000 + ["x\n"], ["same"] * 5_000 + ["x"], 40_000),
        ((["a\n"] * 2_500 + ["b\n"]) * 20, ["a"] * 2_500 + ["b"] + ["a"] * 2_499 + ["b"], None),
        ((["a\n", "b\n"] * 2_499 + ["c\n"]) * 10, ["a", "b"] * 2_500, None),
        ([f" {number}\n" for number in range(50_000)], [*map(str, range(45_000, 50_000))], 45_000),
    ],
    ids=["one line", "broken runs", "pairs", "indented"],
)
def test_a_run_of_5_000_lines_is_sought_in_50_000_at_once(
    lines: list[str], run: list[str], place: int | None
) -> None:
    started = time.process_time()

    assert LineSearch(lines, run, lambda: None).find(run, 0) == place
    assert time.process_time() - started < 1
