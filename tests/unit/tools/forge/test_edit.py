"""`Edit` and `Write` where no recorded call goes: paths, limits, what is seen, and budgets."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import pytest

from treeglass import Config, Limits, ToolRegistry, Workspace
from treeglass.workspace.nodes import File

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from treeglass import ToolResult

    MakeTree = Callable[[Mapping[str, str | bytes | None]], Path]

NOT_SEEN = "File was not read before editing, or has been modified since last read"
LATER = "change less in one call"


class Tools:
    """A mounted tree, and Forge's tools that read and change it."""

    def __init__(self, root: Path, limits: Limits | None = None, **tables: Any) -> None:
        offered = ["forge.Read", "forge.Edit", "forge.Write"]
        clock = tables.pop("clock", lambda: 0.0)
        config = {"offered": offered, "approval": {"mode": "auto"}, **tables}
        self.workspace = Workspace({"/project": root}, limits=limits)
        self.registry = ToolRegistry(
            self.workspace, Config.from_object({"tools": config}), clock=clock
        )

    def __call__(self, tool: str, budget: int | None = None, /, **arguments: Any) -> ToolResult:
        return self.registry.call_tool(tool, arguments, max_output_bytes=budget)

    def edit(self, *lines: str, budget: int | None = None) -> ToolResult:
        """Apply a patch that is given without its header and footer."""
        return self("Edit", budget, patch="\n".join(["LP1", *lines, "END"]))

    @property
    def proposed(self) -> dict[str, bytes]:
        """The files that are proposed, by the path below the mount."""
        return {
            path.removeprefix("/project/"): each.after.content
            for path, each in self.workspace.overlay.record.proposals.items()
            if isinstance(each.after, File)
        }

    def seen(self, name: str) -> tuple[int, int] | None:
        """Return the first and last line that count as seen."""
        kept = self.workspace.overlay.seen["forge"].get(f"/project/{name}")
        return None if kept is None else (kept[0], kept[1])


@pytest.fixture
def tools(make_tree: MakeTree) -> Tools:
    ten = "".join(f"l{number}\n" for number in range(1, 11))
    return Tools(make_tree({"a.txt": "one\ntwo\n", "ten.txt": ten, "d/b.txt": "b\n"}))


def test_a_range_that_was_seen_grows_over_the_gap(tools: Tools) -> None:
    tools("Read", path="ten.txt", start_line=2, end_line=3)
    tools("Read", path="ten.txt", start_line=7, end_line=8)

    assert tools.seen("ten.txt") == (2, 8)
    assert tools.edit("F ten.txt", "R", "l5", ".", "x", ".").content == (
        " 4  l4\n 5 -l5\n 5 +x\n 6  l6\n"
    )
    assert tools.seen("ten.txt") == (2, 8)


def test_lines_that_the_budget_cut_off_were_not_seen(tools: Tools) -> None:
    cut = tools("Read", 40, path="ten.txt")

    assert cut.content == " 1| l1\n 2| l2\n\n... [output truncated]"
    assert tools.seen("ten.txt") == (1, 2)
    assert tools.edit("F ten.txt", "E", "l3", ".").content == (
        'Stale file: "/project/ten.txt": Edit targets line 3 but only lines 1-2 were read'
    )


def test_an_answer_without_a_line_was_not_seen(tools: Tools) -> None:
    tools("Read", 29, path="ten.txt")

    assert tools.seen("ten.txt") is None


@pytest.mark.parametrize(
    ("arguments", "seen"),
    [
        ({}, (1, 10)),
        ({"start_line": 9}, (9, 10)),
        ({"end_line": 3}, (1, 3)),
        ({"start_line": 4, "end_line": 99}, (4, 10)),
        ({"start_line": 30}, (30, 30)),
    ],
)
def test_read_notes_the_lines_that_it_shows(
    tools: Tools, arguments: dict[str, int], seen: tuple[int, int]
) -> None:
    tools("Read", path="ten.txt", **arguments)

    assert tools.seen("ten.txt") == seen


def test_a_binary_file_and_a_line_that_is_no_utf_8_are_not_noted(make_tree: MakeTree) -> None:
    tools = Tools(make_tree({"nul": "a\0\n", "latin": b"one\n\xe9\nthree\n"}))
    tools("Read", path="nul")
    tools("Read", path="latin", start_line=3)

    assert (tools.seen("nul"), tools.seen("latin")) == (None, None)

    tools("Read", path="latin", end_line=1)
    tools("Read", path="latin", start_line=2)

    assert tools.seen("latin") == (1, 1)
    assert tools.edit("F latin", "E", "one", ".").content == (
        'Patch failed for "/project/latin": Invalid UTF-8 in file'
    )


def test_a_range_of_a_file_over_ten_mib_is_not_noted(make_tree: MakeTree) -> None:
    tools = Tools(make_tree({"big": "x" * 79 + "\n" + "x" * (10 * 1024 * 1024)}))

    assert tools("Read", path="big", end_line=1).error is None
    assert tools.seen("big") is None


def test_read_notes_nothing_if_no_tool_that_changes_is_offered(make_tree: MakeTree) -> None:
    tools = Tools(make_tree({"a": "x\n"}), offered=["forge.Read"])
    tools("Read", path="a")

    assert tools.workspace.overlay.seen == {}


def test_the_second_edit_in_a_row_needs_no_read(tools: Tools) -> None:
    tools("Read", path="a.txt")
    tools.edit("F a.txt", "T", "three", ".")
    second = tools.edit("F a.txt", "R", "two", ".", "2", ".")

    assert second.content == "1  one\n2 -two\n2 +2\n3  three\n"
    assert tools.proposed == {"a.txt": b"one\n2\nthree\n"}


def test_a_new_file_counts_as_seen_as_a_whole(tools: Tools) -> None:
    tools.edit("F n.txt", "T", "x", "y", ".", "N +")
    tools("Write", path="new/w.txt", content="a\nb\nc")

    assert (tools.seen("n.txt"), tools.seen("new/w.txt")) == ((1, 2), (1, 3))
    assert tools.edit("F new/w.txt", "R", "c", ".", "d", ".").content == "2  b\n3 -c\n3 +d\n"


def test_a_link_and_its_target_are_one_file(tools: Tools, tmp_path: Path) -> None:
    root = next(path.parent for path in tmp_path.rglob("a.txt"))
    (root / "link").symlink_to("a.txt")
    tools("Read", path="link")
    result = tools.edit("F link", "T", "three", ".", "F a.txt", "E", "one", ".")

    assert result.content == (
        "modified: a.txt\nmodified: a.txt\n\n2  two\n3 +three\n\n\n1 -one\n2  two\n"
    )
    assert result.warnings == (
        "/project/a.txt has more than one section in the patch; only the last one is applied.",
    )
    assert tools.proposed == {"a.txt": b"two\n"}


def test_a_new_file_twice_in_one_patch_fails_as_a_whole(tools: Tools) -> None:
    result = tools.edit("F n", "T", "x", ".", "F n", "T", "y", ".")

    assert result.content == 'Patch failed for "/project/n": File exists (os error 17)'
    assert tools.proposed == {}


def test_no_file_is_made_where_a_link_leads_to_nothing(tools: Tools, tmp_path: Path) -> None:
    root = next(path.parent for path in tmp_path.rglob("a.txt"))
    (root / "link").symlink_to("nowhere")

    assert tools.edit("F link", "T", "x", ".").content == (
        'Patch failed for "/project/link": File exists (os error 17)'
    )
    for path in ("link", "link/below"):
        assert tools("Write", path=path, content="x").content == (
            "Tool execution failed: Write: file already exists: /project/link. "
            "Use Edit to modify existing files."
        )
    assert tools.proposed == {}


@pytest.mark.parametrize(
    ("path", "error"),
    [
        ("d", 'Patch failed for "/project/d": Path is a directory'),
        ("", 'Patch failed for "/project": Path is a directory'),
        ("a.txt/b", 'Patch failed for "/project/a.txt/b": Not a directory (os error 20)'),
        ("n" * 256, f'Patch failed for "/project/{"n" * 256}": File name too long (os error 36)'),
        ("a.txt", f'Stale file: "/project/a.txt": {NOT_SEEN}'),
        ("/project/a.txt", f'Stale file: "/project/a.txt": {NOT_SEEN}'),
        (
            "d/../a.txt",
            "Sandbox violation: Path outside sandbox (attempted: d/../a.txt, resolved: d/../a.txt)",
        ),
        (
            "no/n.txt",
            (
                "Sandbox violation: Path outside sandbox "
                "(attempted: /project/no/n.txt, resolved: /project/no/n.txt)"
            ),
        ),
        (
            "d/.env",
            "Sandbox violation: Path '/project/d/.env' matched denied pattern '**/.env'",
        ),
        ("a\u200bb", "Bad tool args: path contains invalid control characters"),
    ],
)
def test_a_path_that_cannot_be_edited_has_its_words(tools: Tools, path: str, error: str) -> None:
    result = tools.edit(f'F "{path}"', "T", "x", ".")

    assert (result.content, tools.proposed) == (error, {})


@pytest.mark.parametrize(
    ("path", "error"),
    [
        ("\u3000", "Bad tool args: path must not be empty"),
        (
            "a.txt/b",
            (
                "Tool execution failed: Write: failed to write /project/a.txt/b: "
                "Not a directory (os error 20)"
            ),
        ),
        (
            "a.txt/b/c",
            (
                "Tool execution failed: Write: failed to create parent directories for "
                "/project/a.txt/b/c: Not a directory (os error 20)"
            ),
        ),
        (
            "n" * 256,
            (
                f"Tool execution failed: Write: failed to write /project/{'n' * 256}: "
                "File name too long (os error 36)"
            ),
        ),
        (
            "a.txt",
            (
                "Tool execution failed: Write: file already exists: /project/a.txt. "
                "Use Edit to modify existing files."
            ),
        ),
        (
            ".git/x",
            "Sandbox violation: Path '/project/.git/x' matched denied pattern '**/.git/**'",
        ),
    ],
)
def test_a_path_that_cannot_be_written_has_its_words(tools: Tools, path: str, error: str) -> None:
    result = tools("Write", path=path, content="x")

    assert (result.content, tools.proposed) == (error, {})


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


def test_an_answer_over_its_budget_has_whole_lines(tools: Tools) -> None:
    result = tools.edit("F n", "T", *"abcdefghi", ".", budget=30)

    assert (result.content, result.truncated) == ("1 +a\n\n... [output truncated]", True)
    assert tools.proposed == {"n": b"a\nb\nc\nd\ne\nf\ng\nh\ni"}


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


def test_a_call_without_time_changes_nothing(make_tree: MakeTree) -> None:
    root = make_tree({"a": ""})
    tools = Tools(root, clock=itertools.count(0, 20).__next__)

    assert tools.edit("F n", "T", "x", ".").content == "Tool 'Edit' timed out after 60s"
    assert tools.proposed == {}


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
    from treeglass.tools.forge.arguments import WriteArgs, summarize_write  # noqa: PLC0415

    args = WriteArgs(path="a//token=abc", content="é\n")

    assert summarize_write(args, Config()) == "Write new file: a/token=[redacted] (3 bytes)"
    long = summarize_write(args.model_copy(update={"path": "x" * 500}), Config())
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


def test_unknown_arguments_are_ignored(tools: Tools) -> None:
    assert tools("Edit", patch="LP1\nEND", hint=1).content == "No changes applied."
    assert tools("Write", path="n", content="", hint=1).content == ("Created /project/n (0 bytes)")
