"""A page's mistakes reject with a name; an agent's mistakes are answers."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.browser.cpython_answers import CPythonAnswers, without_duration
from tests.browser.package_page import PackagePage
from treeglass import Config
from treeglass.errors import ConfigInvalid

_SOURCE_UNKNOWN = (
    "The tree source has no known shape; pass { entries: { path: content } }, "
    "{ archive: Blob | ArrayBuffer | Uint8Array }, "
    "{ files: FileList | File[] | DataTransfer }, "
    "{ directory: FileSystemDirectoryHandle }, { url: string | URL }, "
    "{ npm: 'name@version' } or { github: 'owner/repo@ref' }."
)
_NO_BYTES = "The option maxOutputBytes is a whole number of bytes from 0 on."


@pytest.mark.parametrize(
    ("call", "name", "message"),
    [
        pytest.param(
            'client.mount("/x", { folder: "x" })',
            "SourceUnknown",
            _SOURCE_UNKNOWN,
            id="a source of no shape",
        ),
        pytest.param(
            'client.mount("/x", null)', "SourceUnknown", _SOURCE_UNKNOWN, id="no source at all"
        ),
        pytest.param(
            'client.mount("x", { entries: {} })',
            "WorkspaceInvalid",
            "The mount path \"x\" is not absolute; use a path such as '/repo'.",
            id="a relative mount path",
        ),
        pytest.param(
            'client.mount("/x", { entries: {} }, { limits: { maxEntries: -1 } })',
            "BadRequest",
            "The limit maxEntries is a whole number from 0 on.",
            id="a limit below nothing",
        ),
        pytest.param(
            'client.mount("/x", { entries: { a: "", b: "" } }, { limits: { maxEntries: 1 } })',
            "LimitExceeded",
            "The tree has more than 1 entries (maxEntries); mount a part of it, "
            "leave out what is not needed with skip, or raise limits.maxEntries",
            id="a tree over the limit",
        ),
        pytest.param(
            'client.mount("/x", { entries: {} }, { skip: "node_modules" })',
            "BadRequest",
            "The option skip is a list of names and globs.",
            id="a skip that is no list",
        ),
        pytest.param(
            'client.mount("/x", { archive: bytesOf([1, 2, 3]) })',
            "SourceUnreadable",
            "The file is not an archive that can be read; choose a zip archive or a tar archive, "
            "plain or compressed by gzip, bzip2 or xz, or mount the file itself with files.",
            id="an archive that is a text",
        ),
        pytest.param(
            'client.unmount("/x")',
            "WorkspaceInvalid",
            "nothing is mounted at '/x'; mounted: ['/repo']",
            id="nothing to unmount",
        ),
        pytest.param(
            'client.callTool("LS", {}, { maxOutputBytes: -1 })',
            "BadRequest",
            _NO_BYTES,
            id="a budget below nothing",
        ),
        pytest.param(
            'client.callTool("LS", {}, { maxOutputBytes: "9" })',
            "BadRequest",
            _NO_BYTES,
            id="a budget that is no number",
        ),
    ],
)
def test_misuse_rejects_and_the_client_stays_usable(
    package_page: PackagePage, call: str, name: str, message: str
) -> None:
    told = package_page.run(f"""
        const client = await sharedClient();
        await client.mount("/repo", {{ entries: {{ "a.txt": "" }} }});
        const wrong = await outcome((async () => {call})());
        return [wrong, (await client.callTool("list_dir", {{ dir_path: "/" }})).content];
    """)

    assert told == [{"name": name, "message": message}, "Absolute path: /\nrepo/\n  a.txt"]


_BAD_CONFIGS = [
    pytest.param({"tools": {"lsit": {}}}, "tools.lsit", id="an unknown key"),
    pytest.param(
        {"tools": {"output": {"max_bytes": "many"}}}, "tools.output.max_bytes", id="a wrong type"
    ),
    pytest.param(
        {"tools": {"list_dir": {"revision": "newest"}}}, "tools.list_dir.revision", id="no choice"
    ),
]


def _refusal_of(config: dict[str, Any]) -> dict[str, str]:
    with pytest.raises(ConfigInvalid) as refused:
        Config.from_object(config)
    return {"name": "ConfigInvalid", "message": str(refused.value)}


@pytest.mark.parametrize(("config", "key"), _BAD_CONFIGS)
def test_a_bad_configuration_is_refused_by_the_name_of_its_key_and_the_old_one_stays(
    package_page: PackagePage, config: dict[str, Any], key: str
) -> None:
    told = package_page.run(
        """
        const client = await sharedClient();
        await client.configure({ tools: { offered: ["LS"] } });
        const wrong = await outcome(client.configure(given));
        return [wrong, (await client.listTools()).map(({ name }) => name)];
        """,
        config,
    )

    refusal = _refusal_of(config)
    assert refusal["message"].count(key) == 1
    assert told == [refusal, ["LS", "grep_files", "list_dir", "read_file"]]


def test_connecting_with_a_bad_configuration_rejects(package_page: PackagePage) -> None:
    config: dict[str, Any] = {"tools": {"lsit": {}}}

    told = package_page.run("return outcome(connect({ config: given }));", config)

    assert told == _refusal_of(config)


_TREE = {"src/app.py": "x = 1\n"}
_TOOLS = ("list_dir", "read_file", "LS", "list_directory")
_PATH = '{"dir_path": %s, "file_path": %s, "path": %s}'


def _at(path: str) -> str:
    return _PATH % (path, path, path)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(_at("5"), id="a wrong type"),
        pytest.param(_at("null"), id="null"),
        pytest.param('{"path": 5, "limit": 5}', id="a missing path"),
        pytest.param("[]", id="a list"),
        pytest.param("", id="no text"),
        pytest.param("list the files, please", id="no JSON"),
        pytest.param('{"path": "src"', id="half an object"),
        pytest.param(_at('"/repo/\\ud800"'), id="a lone surrogate"),
        pytest.param(_at('"/repo/\\u0000"'), id="NUL"),
        pytest.param(_at(f'"/repo/{"a" * 5_000}"'), id="a name of 5,000 characters"),
        pytest.param(_at(f'"/repo{"/a" * 2_500}"'), id="a path of 2,500 names"),
        pytest.param("[" * 100_000, id="very deep JSON"),
        pytest.param(_at("1" + "0" * 5_000), id="a number of 5,000 digits"),
    ],
)
def test_what_an_agent_does_wrong_is_an_answer_and_cpythons(
    package_page: PackagePage, make_tree: Callable[[Mapping[str, str]], Path], text: str
) -> None:
    told = package_page.run(
        """
        const client = await sharedClient();
        await client.mount("/repo", { entries: given.tree });
        const answers = [];
        for (const tool of given.tools) {
            const { content, isError, error } = await client.callTool(tool, given.text);
            answers.push([content, isError, error.kind, error.message]);
        }
        const { content } = await client.callTool("list_dir", { dir_path: "/repo" });
        return [answers, content];
        """,
        {"tree": _TREE, "tools": _TOOLS, "text": text},
    )

    cpython = CPythonAnswers(make_tree(_TREE))
    answers = []
    for tool in _TOOLS:
        result = cpython.call(tool, text)
        assert result.error is not None
        content = without_duration(result.content)
        answers.append([content, True, result.error.kind, result.error.message])
    assert [[without_duration(content), *rest] for content, *rest in told[0]] == answers
    assert told[1] == "Absolute path: /repo\nsrc/\n  app.py"


def test_raw_lone_surrogates_from_javascript_reach_the_tool_and_are_refused_there(
    package_page: PackagePage,
) -> None:
    told = package_page.run("""
        const client = await sharedClient();
        const asText = await client.callTool("list_dir", '{"dir_path": "/\\ud800"}');
        const asObject = await client.callTool("list_dir", { dir_path: "/\\ud800" });
        const asName = await client.callTool("\\ud800", {});
        return [asText, asObject, asName].map(({ content, isError }) => [content, isError]);
    """)

    refusal = (
        "failed to parse function arguments: "
        "the arguments hold a lone surrogate, which is not valid Unicode"
    )
    assert told == [[refusal, True], [refusal, True], ["Unknown tool: \ufffd", True]]


def test_an_unknown_tool_is_an_answer(package_page: PackagePage) -> None:
    told = package_page.run("""
        const client = await sharedClient();
        const { content, isError } = await client.callTool("rm", { path: "/" });
        return [content, isError];
    """)

    assert told == ["Unknown tool: rm", True]
