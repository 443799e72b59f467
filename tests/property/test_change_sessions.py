"""Random sessions of calls and decisions: the tree, the patch and a plain model agree.

The model is a list of whole trees, one for each step, of which an undo takes the one before. It
knows the calls that it makes, and nothing of proposals, hunks or patches.
"""

import random
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from tests.unit.workspace.overlay.proposing import shown
from treeglass import Config, ToolRegistry, ToolResult, Workspace

GIT = shutil.which("git") or ""
needs_git = pytest.mark.skipif(not GIT, reason="Git is the oracle, and is not installed")

Tree = dict[str, bytes]

BASE: Tree = {
    "a.txt": b"one\ntwo\nthree\n",
    "crlf.txt": b"one\r\ntwo\r\nthree\r\n",
    "d/b.py": b"def f():\n    return 1\n",
    "d/open": b"no line end",
    "empty": b"",
}
NAMES = [*BASE, "n.txt", "d/n.py", "m/deep/er", "m/x"]
TEXTS = ["", "x\n", "one\nTWO\nthree\n", "caf\u00e9\n", "no end", "1\n2\n3\n4\n5\n6\n7\n8\n9\n"]
OFFERED: dict[str, dict[str, Any]] = {
    "codex": {"experimental_supported_tools": ["read_file", "apply_patch"]},
    "envelope": {"offered": ["Read", "Write", "Edit", "MultiEdit"]},
    "forge": {"offered": ["forge.Read", "forge.Edit", "forge.Write"]},
}


class Session:
    """One workspace, the calls of one family, and the model beside them."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.random = random.Random(seed)  # noqa: S311  # a test repeats
        self.folder = folder
        self.family = self.random.choice([*OFFERED])
        tools = {**OFFERED[self.family], "approval": {"mode": "auto"}}
        self.config = Config.from_object({"tools": tools})
        self.done: list[Tree] = []
        """The trees that an undo goes back to, the last one first."""
        self.undone: list[Tree] = []
        self.tree: Tree = dict(BASE)
        self.open(Workspace({"/repo": folder}))

    def open(self, workspace: Workspace) -> None:
        """Go on with another workspace, as after the end of a worker."""
        self.workspace = workspace
        self.registry = ToolRegistry(workspace, self.config)

    def act(self) -> None:
        """Make one call or one decision, in the workspace and in the model."""
        acts = [self.call] * 6 + [self.undo, self.undo, self.redo, self.reject, self.keep]
        self.random.choice([*acts, self.replace_worker, self.remount])()
        assert files(self.workspace) == self.tree

    def call(self) -> None:
        before = self.workspace.overlay.version
        result, tree = getattr(self, self.family)()
        assert not result.is_error, result.content
        if self.workspace.overlay.version != before:
            self.done.append(self.tree)
            self.undone.clear()
            self.tree = tree

    def codex(self) -> tuple[ToolResult, Tree]:
        name, text = self.random.choice(NAMES), self.random.choice(TEXTS)
        tree = dict(self.tree)
        if name in tree and self.random.random() < 0.3:
            del tree[name]
            return self.patch(f"*** Delete File: {name}"), tree
        if name in tree and tree[name] and self.random.random() < 0.4:
            other = f"moved-{self.random.randrange(3)}"
            if other not in tree:
                line = tree[name].splitlines(keepends=True)[0]
                end = line[len(line.rstrip(b"\r\n")) :] or b"\n"
                first = line.rstrip(b"\r\n").decode()
                moved = b"new" + end + tree.pop(name)
                tree[other] = moved if moved.endswith((b"\n", b"\r")) else moved + end
                update = f"*** Update File: {name}\n*** Move to: {other}\n@@\n+new\n {first}"
                return self.patch(update), tree
        lines = text.splitlines()
        tree[name] = "".join(f"{line}\n" for line in lines).encode()
        added = "".join(f"\n+{line}" for line in lines)
        return self.patch(f"*** Add File: {name}{added}"), tree

    def patch(self, body: str) -> ToolResult:
        return self.registry.call_tool("apply_patch", f"*** Begin Patch\n{body}\n*** End Patch")

    def envelope(self) -> tuple[ToolResult, Tree]:
        name, text = self.random.choice(NAMES), self.random.choice(TEXTS)
        content = self.tree.get(name, b"")
        if name in self.tree:
            # A decision of the person makes what was read before stale.
            self.registry.call_tool("Read", {"path": name})
        if content and b"\r" not in content and self.random.random() < 0.5:
            old = content.decode()
            edit = {"path": name, "old_string": old, "new_string": text}
            new = {**self.tree, name: text.encode()}
            if self.random.random() < 0.5:
                return self.registry.call_tool("Edit", edit), new
            edits = [{"old_string": old, "new_string": text}]
            return self.registry.call_tool("MultiEdit", {"path": name, "edits": edits}), new
        written = self.registry.call_tool("Write", {"path": name, "content": text})
        return written, {**self.tree, name: text.encode()}

    def forge(self) -> tuple[ToolResult, Tree]:
        name = self.random.choice(NAMES)
        content = self.tree.get(name)
        if content is None:
            text = self.random.choice(TEXTS)
            made = self.registry.call_tool("Write", {"path": name, "content": text})
            return made, {**self.tree, name: text.encode()}
        self.registry.call_tool("Read", {"path": name})
        if not content:
            # A file without lines has none that could be seen, and takes a line at its beginning.
            name, content = "a.txt", self.tree["a.txt"]
            self.registry.call_tool("Read", {"path": name})
        end = b"\r\n" if content.count(b"\r\n") > content.count(b"\n") / 2 else b"\n"
        patch = f"LP1\nF {name}\nB\n# new\n.\nEND\n"
        edited = b"# new" + end + content
        return self.registry.call_tool("Edit", {"patch": patch}), {**self.tree, name: edited}

    def undo(self) -> None:
        step = self.workspace.overlay.undo()
        assert (step is None) == (not self.done)
        if step is not None:
            self.undone.append(self.tree)
            self.tree = self.done.pop()

    def redo(self) -> None:
        step = self.workspace.overlay.redo()
        assert (step is None) == (not self.undone)
        if step is not None:
            self.done.append(self.tree)
            self.tree = self.undone.pop()

    def reject(self) -> None:
        changes = [each for each in self.workspace.overlay.changes().entries if each.kind == "file"]
        if not changes:
            return
        change = self.random.choice(changes)
        hunks = [hunk.key for hunk in self.workspace.overlay.diff(change.path).hunks]
        one = self.random.random() < 0.5 and bool(hunks)
        self.workspace.overlay.reject(change.path, hunks if one else None)
        self.done.append(self.tree)
        self.undone.clear()
        self.tree = self.without(change.path, change.renamed_from, only_lines=one)

    def without(self, path: str, origin: str | None, *, only_lines: bool) -> Tree:
        """Return the tree with a file as the mount has it; of all hunks, only the lines."""
        name = path.removeprefix("/repo/")
        tree = dict(self.tree)
        if only_lines and origin is not None:
            tree[name] = BASE[origin.removeprefix("/repo/")]
            return tree
        tree.pop(name, None)
        if name in BASE:
            tree[name] = BASE[name]
        if origin is not None:
            tree[origin.removeprefix("/repo/")] = BASE[origin.removeprefix("/repo/")]
        return tree

    def keep(self) -> None:
        entries = self.workspace.overlay.changes().entries
        if entries:
            self.workspace.overlay.keep(self.random.choice(entries).path)

    def replace_worker(self) -> None:
        saved = self.workspace.overlay.save_state()
        self.open(Workspace({"/repo": self.folder}))
        self.workspace.overlay.restore_state(saved)

    def remount(self) -> None:
        self.open(Workspace({"/repo": self.folder}, overlay=self.workspace.overlay))


def files(workspace: Workspace) -> Tree:
    """Return the files that tools see."""
    return {name: each for name, each in shown(workspace).items() if isinstance(each, bytes)}


def write(folder: Path, tree: Tree) -> None:
    for name, content in tree.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def check_sessions(seeds: Iterable[int]) -> None:
    """Run a session for each seed, and apply its patch by Git to the folder that it began with."""
    with tempfile.TemporaryDirectory() as made:
        mounted = Path(made) / "mounted"
        write(mounted, BASE)
        for seed in seeds:
            session = Session(mounted, seed)
            for _ in range(session.random.randrange(1, 12)):
                session.act()
            patched = Path(made) / "patched"
            shutil.copytree(mounted, patched)
            patch = session.workspace.overlay.export_patch()
            if patch:
                command = [GIT, "apply", "--whitespace=nowarn", "-"]
                subprocess.run(command, cwd=patched, input=patch, check=True)
            assert tree_of(patched) == session.tree, seed
            assert tree_of(mounted) == BASE
            shutil.rmtree(patched)


def tree_of(folder: Path) -> Tree:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


@needs_git
def test_tree_patch_and_model_agree_after_any_session() -> None:
    check_sessions(range(150))


@needs_git
@pytest.mark.slow
def test_tree_patch_and_model_agree_after_a_thousand_sessions() -> None:
    check_sessions(range(1_000, 2_000))
