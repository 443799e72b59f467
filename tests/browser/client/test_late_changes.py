"""What a page fetches for tools that change works from its first request on."""

from typing import Any

import pytest

from tests.browser.package_page import PackagePage

_PATCH = "*** Begin Patch\n*** Add File: /repo/new.txt\n+new\n*** End Patch"
_FIRST_CALLS = [
    pytest.param(
        {"experimental_supported_tools": ["apply_patch"]},
        ["apply_patch", {"input": _PATCH}],
        "Exit code: 0\nWall time: 0 seconds\nOutput:\n"
        "Success. Updated the following files:\nA /repo/new.txt\n",
        id="codex",
    ),
    pytest.param(
        {"offered": ["Write"]},
        ["Write", {"path": "new.txt", "content": "new\n"}],
        None,
        id="envelope",
    ),
    pytest.param(
        {"offered": ["forge.Write"]},
        ["Write", {"path": "new.txt", "content": "new\n"}],
        None,
        id="forge",
    ),
]


@pytest.mark.parametrize(("tools", "call", "content"), _FIRST_CALLS)
def test_the_first_call_of_a_page_may_change_a_file(
    package_page: PackagePage, tools: dict[str, Any], call: list[Any], content: str | None
) -> None:
    told = package_page.run(
        """
        const client = await connect({ config: { tools: given.tools } });
        try {
            await client.mount("/repo", { entries: { "old.txt": "old\\n" } });
            const [name, args] = given.call;
            const { content, isError } = await client.callTool(name, args);
            const refused = await client.callTool(name, {});
            const { entries } = await client.changes();
            const listed = (await client.listTools()).map((tool) => tool.name);
            return { content, isError, refused: refused.isError, listed,
                entries: entries.map(({ path, operation }) => [path, operation]) };
        } finally {
            await client.close();
        }
        """,
        {"tools": tools, "call": call},
    )

    assert content is None or told["content"] == content
    assert {key: value for key, value in told.items() if key != "content"} == {
        "isError": False,
        "refused": True,
        "listed": told["listed"],
        "entries": [["/repo/new.txt", "create"]],
    }
    assert call[0] in told["listed"]


def test_a_page_that_changes_nothing_may_ask_for_changes_first(package_page: PackagePage) -> None:
    told = package_page.run(
        """
        const client = await connect();
        try {
            const asked = [await client.changes(), await client.undo()];
            await client.mount("/repo", { entries: { "old.txt": "old\\n" } });
            const { content } = await client.callTool("list_dir", { dir_path: "/repo" });
            return { asked, content };
        } finally {
            await client.close();
        }
        """
    )

    assert told == {
        "asked": [{"version": 0, "entries": [], "steps": []}, {"version": 0, "step": None}],
        "content": "Absolute path: /repo\nold.txt",
    }
