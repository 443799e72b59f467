import base64
import bz2
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from treeglass.bridge import Bridge
from treeglass.bridge.changes import CHANGE_METHODS
from treeglass.bridge.methods import FILE_METHOD_NAMES, METHODS
from treeglass.workspace import Workspace

KNOWN_METHODS = (*METHODS, *FILE_METHOD_NAMES, *CHANGE_METHODS)


def ask(bridge: Bridge, method: str, **params: Any) -> Any:
    return json.loads(bridge.handle(json.dumps({"method": method, "params": params})))


def test_a_mounted_tree_answers_until_it_is_unmounted(make_tree: Callable[..., Path]) -> None:
    bridge = Bridge()
    root = str(make_tree({"a.txt": "hello"}))
    call = {"name": "list_dir", "arguments": {"dir_path": "/repo"}}

    assert ask(bridge, "mount", path="/repo", host=root) == {"result": {"mounts": ["/repo"]}}
    answer = ask(bridge, "callTool", **call)["result"]
    assert answer.pop("elapsedMs") >= 0
    assert answer == {
        "content": "Absolute path: /repo\na.txt",
        "structuredContent": None,
        "isError": False,
        "error": None,
        "truncated": False,
        "nextArguments": None,
        "warnings": [],
    }
    assert ask(bridge, "unmount", path="/repo") == {"result": {"mounts": []}}
    gone = ask(bridge, "callTool", **call)["result"]
    assert gone["error"] == {
        "kind": "RespondToModel",
        "message": "failed to read directory: No such file or directory (os error 2)",
    }


def test_a_call_that_runs_out_of_memory_tells_the_worker(
    make_tree: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise MemoryError

    bridge = Bridge()
    ask(bridge, "mount", path="/repo", host=str(make_tree({"a.txt": "hello"})))
    monkeypatch.setattr(Workspace, "scan", fail)
    answer = ask(bridge, "callTool", name="list_dir", arguments={"dir_path": "/repo"})["result"]

    assert (answer["content"], answer["warnings"], answer["ranOutOfMemory"]) == (
        "internal error: this call cannot be answered; try another tool or path",
        ["Python ran out of memory in this call; ask for less at once."],
        True,
    )


def test_two_bridges_share_nothing(make_tree: Callable[..., Path]) -> None:
    one, other = Bridge(), Bridge()
    ask(one, "mount", path="/repo", host=str(make_tree({"a.txt": "hello"})))

    call = {"name": "list_dir", "arguments": {"dir_path": "/"}}
    assert ask(one, "callTool", **call)["result"]["content"] == ("Absolute path: /\nrepo/\n  a.txt")
    assert ask(other, "callTool", **call)["result"]["content"] == "Absolute path: /"


def test_a_new_configuration_keeps_the_mounts(make_tree: Callable[..., Path]) -> None:
    bridge = Bridge()
    ask(bridge, "mount", path="/repo", host=str(make_tree({"src/a.txt": "hello"})))

    tools = {"tools": {"experimental_supported_tools": [], "offered": ["LS"]}}
    assert ask(bridge, "configure", config=tools, projectRoot="/repo/src") == {"result": {}}

    assert [tool["name"] for tool in ask(bridge, "listTools")["result"]["tools"]] == ["LS"]
    listing = ask(bridge, "callTool", name="LS", arguments={})["result"]["structuredContent"]
    assert listing["data"]["entries"] == [{"path": "a.txt", "type": "file"}]


def test_tools_are_listed_as_mcp_does() -> None:
    bridge = Bridge()

    # `definition_formats/mcp.json` has the whole of what is described.
    assert ask(bridge, "listTools") == ask(bridge, "describeTools", format="mcp")


@pytest.mark.parametrize(
    ("request_text", "error"),
    [
        pytest.param("nonsense", ("BadRequest", "the request is not JSON"), id="no JSON"),
        pytest.param("[" * 99_999, ("BadRequest", "the request is not JSON"), id="very deep"),
        pytest.param(
            "[]",
            ("BadRequest", "request: Input should be a valid dictionary or instance of Request"),
            id="not an object",
        ),
        pytest.param("{}", ("BadRequest", "method: Field required"), id="no method"),
        pytest.param(
            '{"method": "grep", "params": {}}',
            (
                "BadRequest",
                f"unknown method 'grep'; known: {', '.join(KNOWN_METHODS)}",
            ),
            id="an unknown method",
        ),
        pytest.param(
            '{"method": "mount"}',
            (
                "BadRequest",
                "mount.params: Input should be a valid dictionary or instance of MountParams",
            ),
            id="no parameters",
        ),
        pytest.param(
            '{"method": "mount", "params": {"path": "/repo", "host": "/", "mode": 1}}',
            ("BadRequest", "mount.params.mode: Extra inputs are not permitted"),
            id="an unknown parameter",
        ),
        pytest.param(
            '{"method": "mount", "params": {"path": "/repo"}}',
            ("BadRequest", "mount.params.host: Field required"),
            id="a parameter is missing",
        ),
        pytest.param(
            '{"method": "mount", "params": {"path": "/a", "host": "/no/such"}}',
            ("WorkspaceInvalid", "mount point '/a': No such file or directory (os error 2)"),
            id="nothing to mount",
        ),
        pytest.param(
            '{"method": "unmount", "params": {"path": "/a"}}',
            ("WorkspaceInvalid", "nothing is mounted at '/a'; mounted: []"),
            id="nothing mounted",
        ),
        pytest.param(
            '{"method": "configure", "params": {"config": {"tool": {}}}}',
            ("ConfigInvalid", "tool: unknown key; the known ones are tools"),
            id="a wrong configuration",
        ),
        pytest.param(
            '{"method": "callTool",'
            ' "params": {"name": "LS", "arguments": {}, "maxOutputBytes": -1}}',
            (
                "BadRequest",
                "callTool.params.maxOutputBytes: Input should be greater than or equal to 0",
            ),
            id="a negative budget",
        ),
        pytest.param(
            '{"method": "callTool", "params": {"name": "LS", "arguments": {}, "timeoutMs": 0}}',
            ("BadRequest", "callTool.params.timeoutMs: Input should be greater than 0"),
            id="no time at all",
        ),
    ],
)
def test_a_mistake_of_the_page_is_an_error_and_not_a_result(
    request_text: str, error: tuple[str, str]
) -> None:
    answer = json.loads(Bridge().handle(request_text))

    assert answer == {"error": {"name": error[0], "message": error[1]}}


@pytest.mark.parametrize(
    "arguments", [None, [], 3, "nonsense", {"dir_path": "\ud800"}, '{"dir_path": "\\ud800"}']
)
def test_any_arguments_are_answered_with_a_result(arguments: object) -> None:
    answer = ask(Bridge(), "callTool", name="list_dir", arguments=arguments)

    assert answer["result"]["error"]["kind"] == "RespondToModel"
    assert answer["result"]["content"].startswith("failed to parse function arguments: ")


def test_a_compressed_archive_is_inflated_in_pieces_of_the_wanted_size() -> None:
    bridge = Bridge()
    compressed = base64.b64encode(bz2.compress(b"0123456789")).decode()

    assert ask(bridge, "openDecompressor", format="bzip2") == {"result": {"stream": 1}}
    piece = {"stream": 1, "maxBytes": 7}
    assert ask(bridge, "decompress", compressed=compressed, **piece) == {
        "result": {
            "inflated": base64.b64encode(b"0123456").decode(),
            "needsInput": False,
            "isComplete": False,
        }
    }
    assert ask(bridge, "decompress", compressed=None, **piece) == {
        "result": {
            "inflated": base64.b64encode(b"789").decode(),
            "needsInput": True,
            "isComplete": True,
        }
    }
    assert ask(bridge, "closeDecompressor", stream=1) == {"result": {}}
    assert ask(bridge, "decompress", compressed=None, **piece) == {
        "error": {
            "name": "SourceUnreadable",
            "message": "Compressed stream 1 is not open; mount it again.",
        }
    }


@pytest.mark.parametrize(
    ("params", "message"),
    [
        pytest.param(
            {"compressed": "no base64!", "maxBytes": 1},
            "decompress.params.compressed: Value error, Only base64 data is allowed",
            id="no base64",
        ),
        pytest.param(
            {"compressed": base64.b64encode(bytes(64 * 1024 + 1)).decode(), "maxBytes": 1},
            "decompress.params.compressed: Data should have at most 65536 bytes",
            id="too much put in",
        ),
        pytest.param(
            {"compressed": None, "maxBytes": 0},
            "decompress.params.maxBytes: Input should be greater than or equal to 1",
            id="nothing asked for",
        ),
        pytest.param(
            {"compressed": None, "maxBytes": 4 * 1024 * 1024 + 1},
            "decompress.params.maxBytes: Input should be less than or equal to 4194304",
            id="too much asked for",
        ),
    ],
)
def test_a_piece_that_is_out_of_bounds_is_refused(params: dict[str, Any], message: str) -> None:
    bridge = Bridge()
    ask(bridge, "openDecompressor", format="xz")

    assert ask(bridge, "decompress", stream=1, **params) == {
        "error": {"name": "BadRequest", "message": message}
    }


def test_a_path_that_is_taken_is_refused_before_anything_is_mounted_there(
    make_tree: Callable[..., Path],
) -> None:
    bridge = Bridge()
    root = str(make_tree({"src/a.txt": "hello"}))
    ask(bridge, "mount", path="/repo", host=root)

    refused = [
        ask(bridge, method, path=path, **host)["error"]
        for method, host in (("mount", {"host": root}), ("checkMount", {}))
        for path in ("/repo", "/repo/src")
    ]
    assert [(error["name"], error["message"]) for error in refused] == [
        (
            "WorkspaceInvalid",
            "'/repo' is mounted already; unmount it, use another path, or pass replace: true",
        ),
        ("WorkspaceInvalid", "mount point '/repo/src' lies in '/repo'"),
    ] * 2
    assert [
        ask(bridge, "checkMount", path="/repo", replace=True),
        ask(bridge, "checkMount", path="/free"),
        ask(bridge, "mount", path="/b", host=root),
    ] == [{"result": {}}, {"result": {}}, {"result": {"mounts": ["/b", "/repo"]}}]
    assert ask(bridge, "unmount", path="/free")["error"] == {
        "name": "WorkspaceInvalid",
        "message": "nothing is mounted at '/free'; mounted: ['/b', '/repo']",
    }


def test_a_mount_that_replaces_takes_the_place_at_once(make_tree: Callable[..., Path]) -> None:
    bridge = Bridge()
    tree = make_tree({"a.txt": "hello", "other/b.txt": "hello"})
    ask(bridge, "mount", path="/repo", host=str(tree))
    other = str(tree / "other")

    assert ask(bridge, "mount", path="/repo", host=other, replace=True) == {
        "result": {"mounts": ["/repo"]}
    }
    listed = ask(bridge, "callTool", name="list_dir", arguments={"dir_path": "/repo"})
    assert listed["result"]["content"] == "Absolute path: /repo\nb.txt"


def test_tools_are_described_for_a_host_by_its_names() -> None:
    names = {"read_file": "repo_read"}

    (tool,) = ask(Bridge(), "describeTools", format="anthropic", names=names)["result"]["tools"]

    assert (tool["name"], sorted(tool)) == ("repo_read", ["description", "input_schema", "name"])


def test_only_offered_tools_are_described() -> None:
    bridge = Bridge()
    tools = {"tools": {"experimental_supported_tools": [], "offered": ["LS"]}}
    ask(bridge, "configure", config=tools, projectRoot="/")

    described = ask(bridge, "describeTools", format="openai")["result"]["tools"]
    assert [tool["name"] for tool in described] == ["LS"]
    nothing = ask(bridge, "describeTools", format="openai", names={"list_dir": "ls"})
    assert nothing == {"result": {"tools": []}}


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        pytest.param(
            {"format": "cohere"},
            "describeTools.params.format: Input should be 'mcp', 'openai', 'openai-custom',"
            " 'openai-chat', 'anthropic' or 'gemini'",
            id="an unknown format",
        ),
        pytest.param(
            {"format": "mcp", "names": {"LS": 1}},
            "describeTools.params.names.LS: Input should be a valid string",
            id="a name that is not a text",
        ),
        pytest.param({}, "describeTools.params.format: Field required", id="no format"),
    ],
)
def test_an_unknown_shape_is_refused(params: dict[str, Any], sentence: str) -> None:
    answer = ask(Bridge(), "describeTools", **params)

    assert answer == {"error": {"name": "BadRequest", "message": sentence}}
