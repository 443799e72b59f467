from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from treeglass import Config, Workspace
from treeglass.tool import ToolContext
from treeglass.tools.forge.errors import SandboxViolation
from treeglass.tools.forge.paths.sandbox import Sandbox

TREE: dict[str, str | bytes | None] = {
    "project/src/a.py": "a",
    "project/.ssh/keys/k": "k",
    "project/in": "-> src",
    "project/out": "-> ../other",
    "project/away": "-> /usr",
    "project/key_link": "-> .ssh/keys",
    "project/line\nfeed/x": "x",
    "other/b.py": "b",
}


@pytest.fixture
def sandbox_of(make_tree: Callable[[Mapping[str, str | bytes | None]], Path]) -> Any:
    root = make_tree(TREE)
    workspace = Workspace({"/p": root / "project", "/other": root / "other"}, project_root="/p")

    def make(
        table: dict[str, object] | None = None, *, working_dir: str = "/p", escape: bool = True
    ) -> Sandbox:
        tools = {"sandbox": table or {}, "output": {"escape_names": escape}}
        context = ToolContext(
            workspace=workspace,
            config=Config.from_object({"tools": tools}),
            working_dir=working_dir,
            arguments={},
            max_output_bytes=1000,
        )
        return Sandbox(context)

    return make


def refusal_of(sandbox: Sandbox, path: str) -> str:
    with pytest.raises(SandboxViolation) as caught:
        sandbox.resolve(path)
    return str(caught.value)


@pytest.mark.parametrize(
    ("path", "virtual"),
    [
        pytest.param(".", "/p", id="working directory"),
        pytest.param("src", "/p/src", id="relative"),
        pytest.param("in", "/p/src", id="link inside"),
        pytest.param("in/none/deeper", "/p/src/none/deeper", id="missing below missing"),
        pytest.param("..src/a..b", "/p/..src/a..b", id="dots in names"),
    ],
)
def test_path_inside_a_root_resolves_to_its_canonical_place(
    sandbox_of: Any, path: str, virtual: str
) -> None:
    assert sandbox_of().resolve(path).virtual == virtual


@pytest.mark.parametrize("path", ["..", "../other", "src/../src", "src/..", "a/../../.."])
def test_two_dots_are_refused_wherever_they_lead(sandbox_of: Any, path: str) -> None:
    message = f"Path outside sandbox (attempted: {path}, resolved: {path})"

    assert refusal_of(sandbox_of(), path) == message


def test_spelled_two_dots_lead_nowhere(sandbox_of: Any) -> None:
    spelled = r"src/\u{2E}\u{2E}/\u{2E}\u{2E}"

    message = f"Path outside sandbox (attempted: {spelled}, resolved: {spelled})"
    assert refusal_of(sandbox_of(), spelled) == message
    assert sandbox_of(escape=False).resolve(spelled).virtual == f"/p/{spelled}"


def test_absolute_path_needs_permission(sandbox_of: Any) -> None:
    assert refusal_of(sandbox_of(), "/p/src") == (
        "Path outside sandbox (attempted: /p/src, resolved: /p/src)"
    )
    assert sandbox_of({"allow_absolute": True}).resolve("/p/src").virtual == "/p/src"


@pytest.mark.parametrize("path", ["/", "/other", "/etc", "/p2", "/psrc"])
def test_absolute_path_outside_is_refused_even_with_permission(sandbox_of: Any, path: str) -> None:
    sandbox = sandbox_of({"allow_absolute": True})

    message = f"Path outside sandbox (attempted: {path}, resolved: {path})"
    assert refusal_of(sandbox, path) == message


def test_link_into_another_mount_is_refused_outside_the_roots(sandbox_of: Any) -> None:
    assert refusal_of(sandbox_of(), "out") == (
        "Path outside sandbox (attempted: /p/out, resolved: /other)"
    )


@pytest.mark.parametrize("path", ["away", "away/lib", "away/none/deeper"])
def test_link_out_of_all_mounts_is_refused_without_naming_its_target(
    sandbox_of: Any, path: str
) -> None:
    assert refusal_of(sandbox_of(), path) == (
        f"Path outside sandbox (attempted: /p/{path}, resolved: outside of every mount)"
    )


def test_roots_are_relative_to_the_project_root_or_absolute(sandbox_of: Any) -> None:
    sandbox = sandbox_of({"allowed_roots": ["in", "/other"]})

    assert sandbox.resolve("src").virtual == "/p/src"
    assert sandbox.resolve("out/b.py").virtual == "/other/b.py"
    assert refusal_of(sandbox, ".") == "Path outside sandbox (attempted: /p, resolved: /p)"


def test_root_that_leads_nowhere_allows_nothing(sandbox_of: Any) -> None:
    sandbox = sandbox_of({"allowed_roots": ["away", "x" * 300]})

    assert refusal_of(sandbox, "src") == (
        "Path outside sandbox (attempted: /p/src, resolved: /p/src)"
    )


def test_relative_path_starts_from_the_working_directory_of_the_call(sandbox_of: Any) -> None:
    assert sandbox_of(working_dir="/p/src").resolve(".").virtual == "/p/src"
    assert refusal_of(sandbox_of(working_dir="/other"), ".") == (
        "Path outside sandbox (attempted: /other, resolved: /other)"
    )


@pytest.mark.parametrize(
    ("path", "canonical"),
    [
        pytest.param(".ssh", "/p/.ssh", id="the directory itself"),
        pytest.param(".ssh/keys", "/p/.ssh/keys", id="below it"),
        pytest.param(".ssh/none", "/p/.ssh/none", id="missing below it"),
        pytest.param("key_link", "/p/.ssh/keys", id="through a link"),
    ],
)
def test_denied_pattern_is_matched_against_the_canonical_path(
    sandbox_of: Any, path: str, canonical: str
) -> None:
    assert refusal_of(sandbox_of(), path) == (
        f"Path '{canonical}' matched denied pattern '**/.ssh/**'"
    )


def test_a_path_below_a_denied_directory_is_denied_too(sandbox_of: Any) -> None:
    sandbox = sandbox_of({"denied_patterns": ["**/src"]})

    assert refusal_of(sandbox, "src/deeper/none") == (
        "Path '/p/src/deeper/none' matched denied pattern '**/src'"
    )


def test_a_pattern_that_covers_a_root_denies_what_is_below_it(sandbox_of: Any) -> None:
    sandbox = sandbox_of({"denied_patterns": ["/p"]})

    assert refusal_of(sandbox, "src/a.py") == "Path '/p/src/a.py' matched denied pattern '/p'"


def test_a_pattern_that_covers_what_lies_above_a_root_does_not_deny_the_root(
    sandbox_of: Any,
) -> None:
    sandbox = sandbox_of({"allowed_roots": ["src"], "denied_patterns": ["/p"]})

    assert sandbox.resolve("src").virtual == "/p/src"


def test_default_denies_can_be_switched_off(sandbox_of: Any) -> None:
    sandbox = sandbox_of({"include_default_denies": False, "denied_patterns": ["**/src"]})

    assert sandbox.resolve(".ssh/keys").virtual == "/p/.ssh/keys"
    assert refusal_of(sandbox, "in") == "Path '/p/src' matched denied pattern '**/src'"


def test_denied_name_is_shown_spelled_out(sandbox_of: Any) -> None:
    sandbox = sandbox_of({"denied_patterns": ["**/line*"]})

    assert refusal_of(sandbox, r"line\u{A}feed") == (
        r"Path '/p/line\u{A}feed' matched denied pattern '**/line*'"
    )


def test_directory_met_while_walking_is_judged_by_the_same_patterns(sandbox_of: Any) -> None:
    sandbox = sandbox_of({"denied_patterns": ["**/deep"]})

    assert sandbox.denies(sandbox.resolve("src/deeper")) is False
    assert sandbox_of({"include_default_denies": False}).denies(sandbox.resolve("src")) is False
    assert sandbox_of({"denied_patterns": ["**/src"]}).denies(sandbox.resolve("src")) is True
