import pytest

from treeglass import Config, ConfigInvalid, ToolRegistry, Workspace

SWAPPED = {
    "offered": ["Read", "forge.Read"],
    "names": {"forge.Read": "Read", "envelope.Read": "pages"},
}


@pytest.mark.parametrize(
    ("listed", "allowed"),
    [
        pytest.param("Read", ["Read"], id="the name that callers know"),
        pytest.param("pages", ["pages"], id="another of them"),
        pytest.param("envelope.Read", ["pages"], id="a full name"),
        pytest.param("list_dir", ["list_dir"], id="no name was given to it"),
    ],
)
def test_a_name_of_a_policy_means_one_tool(listed: str, allowed: list[str]) -> None:
    names = ("Read", "pages", "list_dir")
    tables = [{"mode": "deny", "allowlist": [listed]}, {"mode": "auto", "denylist": [listed]}]
    passed = []
    for approval in tables:
        config = Config.from_object({"tools": {**SWAPPED, "approval": approval}})
        tools = ToolRegistry(Workspace({}), config)
        arguments = {"path": "a", "dir_path": "/a"}
        passed.append([name for name in names if tools.summarize_call(name, arguments)])

    assert passed == [allowed, [name for name in names if name not in allowed]]


@pytest.mark.parametrize("name", ["readfile", "*", "codex.Read_file", "read_files", ""])
@pytest.mark.parametrize("key", ["allowlist", "denylist"])
def test_a_policy_that_names_an_unknown_tool_is_refused(key: str, name: str) -> None:
    config = Config.from_object(
        {"tools": {"approval": {key: ["LS", name]}, "family": "forge", "offered": ["Search"]}}
    )

    with pytest.raises(ConfigInvalid) as refused:
        ToolRegistry(Workspace({}), config)

    assert str(refused.value) == (
        f'tools.approval.{key}: there is no tool "{name}"; the names are: Search, forge.Search'
    )
