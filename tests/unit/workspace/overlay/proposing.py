"""Plans and commits in a test, as a tool and the registry make them."""

from collections.abc import Callable, Mapping
from pathlib import Path

from treeglass import Workspace
from treeglass.workspace.plan import Plan

LINES = [f"line {number}\n" for number in range(1, 41)]


def propose(
    workspace: Workspace,
    written: Mapping[str, bytes | str],
    *,
    gone: tuple[str, ...] = (),
    moved: Mapping[str, str] | None = None,
    now_ms: int = 1_000,
    name: str = "tool",
    group: str | None = None,
) -> bool:
    """Commit files, by virtual path, and take others away.

    Args:
        workspace: Whose overlay it is.
        written: Content by path.
        gone: Paths of files that are to be gone.
        moved: The old path by the new one; both are also in `written` and `gone`.
        now_ms: The clock, in milliseconds.
        name: The tool's name.
        group: The turn.
    """
    overlay = workspace.overlay
    plan = Plan(workspace, lambda _path: None)
    for path, content in written.items():
        origin = (moved or {}).get(path)
        plan.write(
            workspace.resolve(path, strict=False),
            content.encode() if isinstance(content, str) else content,
            renamed_from=None if origin is None else workspace.resolve(origin),
        )
    for path in gone:
        plan.delete(workspace.resolve(path))
    return overlay.commit(
        plan.changes,
        since=overlay.record,
        modified_ns=overlay.next_ns(now_ms),
        name=name,
        group=group,
    )


def shown(workspace: Workspace, top: str = "/repo") -> dict[str, bytes | str]:
    """Return the tree as tools see it: bytes of a file, `/` of a directory, else the kind."""
    found: dict[str, bytes | str] = {}
    directories = [workspace.resolve(top)]
    while directories:
        directory = directories.pop()
        for entry in workspace.scan(directory):
            path = workspace.enter(directory, entry)
            name = path.virtual.removeprefix(f"{top}/")
            if entry.kind == "file":
                with workspace.open(path) as file:
                    found[name] = file.read()
            elif entry.kind == "directory":
                found[name] = "/"
                directories.append(path)
            else:
                found[name] = entry.kind or "?"
    return dict(sorted(found.items()))


def edited(**lines: str) -> str:
    """Return the forty lines with some replaced; `l3="x"` replaces the third."""
    changed = {int(name[1:]): f"{text}\n" for name, text in lines.items()}
    return "".join(changed.get(number, line) for number, line in enumerate(LINES, 1))


def open_lines(make_tree: Callable[..., Path], **more: str) -> Workspace:
    """Return a workspace with the forty lines in `a.txt`."""
    return Workspace({"/repo": make_tree({"a.txt": edited(), **more})})


def content(workspace: Workspace, path: str = "/repo/a.txt") -> str:
    """Return a file as tools see it."""
    with workspace.open(workspace.resolve(path)) as file:
        return file.read().decode()


def listed(workspace: Workspace) -> list[tuple[str, str, str]]:
    """Return path, operation and decision of each change."""
    entries = workspace.overlay.changes().entries
    return [(entry.path, entry.operation, entry.decision) for entry in entries]
