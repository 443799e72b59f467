"""The package's entry for programs, as Node, Deno and Bun run it from `dist/npm`."""

import json
import shutil
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.support.hosts.edge_support import PACKAGE, RUNTIMES, RuntimeNotFound, environment
from tests.support.hosts.edge_support import command_of as find_command_of
from tests.support.hosts.missing_hosts import skip_or_fail
from tests.support.programs import install_package, printed_by, run
from tests.support.start_json import without_image

_PATIENCE_S = 300

_NOT_THERE = "failed to read directory: No such file or directory (os error 2)"
_CLOSED = "Closed: The client was closed; connect again."

_PHASES = ("mount", "ready", "runtime")

_ZIP = "\nin/\n  side.txt"


def _own(number: int, *, is_cut: bool) -> list[Any]:
    """Return the view of one of two clients: only its own mount, directory and budget."""
    listing = f"Absolute path: /\nown{number}/\n  of-{number}"
    return [listing, _NOT_THERE, True, [is_cut, is_cut], [f"/own{number}"]]


_TOLD_APART = [
    [_own(0, is_cut=True), _own(1, is_cut=False)],
    "Absolute path: /own1\nof-1",
    _CLOSED,
]


def _expected(folder: Path) -> dict[str, Any]:
    return {
        "start": ["image", None, True],
        "sources": {
            "entries": "Absolute path: /entries\na.txt\nb.bin",
            "blob": f"Absolute path: /blob{_ZIP}",
            "array_buffer": f"Absolute path: /array_buffer{_ZIP}",
            "bytes": f"Absolute path: /bytes{_ZIP}",
            "files": "Absolute path: /files\nnone.txt\none.txt",
            "data_url": f"Absolute path: /data_url{_ZIP}",
            "directory": "Absolute path: /directory\nsrc/\n  main.py\ntree.zip",
            "directory_url": "Absolute path: /directory_url\nmain.py",
        },
        "contents": ["L1: buffer", "L1: zip", "L1: file", "L1: x = 1"],
        "searched": 40,
        "unmounted": _NOT_THERE,
        "refused": [
            (
                f"SourceUnreadable: '{folder}/src/main.py' cannot be mounted: it is not a folder. "
                "Pass the path of a folder that this program may read."
            ),
            (
                "SourceUnreadable: The file is not an archive that can be read; choose a zip "
                "archive or a tar archive, plain or compressed by gzip, bzip2 or xz, or mount the "
                "file itself with files."
            ),
            (
                "BadRequest: The url of the source has the protocol file; those that can be "
                "fetched are http, https, blob, data."
            ),
            (
                "BadRequest: The url of the source is not an address: tree.zip. Pass a whole "
                "address, such as https://example.com/tree.zip, or { directory } or { archive } "
                "for what lies on this machine."
            ),
            "BadRequest: The directory of the source is neither a path nor a file: address: a\0b",
            "ConfigInvalid: nonsense: unknown key; the known ones are tools",
        ],
        "aborted": ["AbortError", "AbortError"],
        "stopped": [
            (
                "TimedOut: list_dir ran longer than its 5 ms and was stopped. The mounts are as "
                "they were. Ask for less at once, or pass a larger timeoutMs."
            ),
            "L1: zip",
        ],
        "replaced": [1, "L1: file"],
        "listener": [2, [f"a listener's own fault: {phase}" for phase in _PHASES]],
        "shared": _TOLD_APART,
        "apart": _TOLD_APART,
        "packages": ["packages", "the assets have no image", "L1: packages"],
        "missing": f"StartFailed: The runtime could not be loaded from {folder}/src/: "
        "start.json could not be fetched. Install the package again, or pass the path of "
        "its assets folder as connect({ assets }).",
    }


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a file, and an archive beside it; its path has what addresses escape."""
    folder = tmp_path / "a tree 100%"
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "main.py").write_text("x = 1\n")
    with zipfile.ZipFile(folder / "tree.zip", "w") as archive:
        archive.writestr("in/side.txt", "zip\n")
    return folder


@pytest.fixture
def without_an_image(tmp_path: Path) -> Path:
    """The package's assets without the image."""
    assets = tmp_path / "assets without image"
    shutil.copytree(PACKAGE / "assets", assets)
    (assets / "start.json").write_bytes(without_image(PACKAGE))
    return assets


def command_of(runtime: str, module: Path, *, readable: Sequence[Path] = ()) -> list[str]:
    """Return the command that runs a module; without the runtime, the test skips."""
    try:
        return find_command_of(runtime, module, readable=readable)
    except RuntimeNotFound as missing:
        skip_or_fail(runtime, missing)


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_every_runtime_tells_the_same_stories_and_ends_by_itself(
    runtime: str, folder: Path, without_an_image: Path, tmp_path: Path
) -> None:
    stories = tmp_path / "stories" / "edge_stories.mjs"
    stories.parent.mkdir()
    shutil.copyfile(__file__.replace("test_edge_runtimes.py", stories.name), stories)
    command = command_of(runtime, stories, readable=[folder, without_an_image])

    command.append((PACKAGE / "edge.js").as_uri())
    ran = run(*command, folder, without_an_image, env=environment(), timeout=_PATIENCE_S)

    assert (ran.stderr, ran.returncode) == ("", 0)
    assert json.loads(ran.stdout) == _expected(folder)


_CONNECTING = """
const { connect } = await import(process.argv[2]);
await connect().catch(({ name, message }) => console.log(`${name}: ${message}`));
"""


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_a_program_imports_the_client_by_the_name_of_the_package(
    runtime: str, tmp_path: Path
) -> None:
    install_package(tmp_path)
    manifest = {"type": "module", "dependencies": {"treeglass": "*"}}
    (tmp_path / "package.json").write_text(json.dumps(manifest))
    program = tmp_path / "program.mjs"
    program.write_text(
        'import { connect, preload } from "treeglass";\n'
        "await preload();\n"
        "const client = await connect();\n"
        'await client.mount("/repo", { entries: { "a.txt": "x" } });\n'
        'const { content } = await client.callTool("read_file", { file_path: "/repo/a.txt" });\n'
        "console.log(content);\n"
    )
    command = command_of(runtime, program)

    # Deno finds packages by the manifest, which is a configuration too.
    command = [part for part in command if part != "--no-config"]
    ran = run(*command, folder=tmp_path)

    assert (ran.stdout, ran.stderr, ran.returncode) == ("L1: x\n", "", 0)


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_a_program_bundled_without_the_thread_is_told_what_is_missing(
    runtime: str, tmp_path: Path
) -> None:
    for module in PACKAGE.glob("*.js"):
        if module.name != "edge-worker.js":
            shutil.copy(module, tmp_path)
    program = tmp_path / "program.mjs"
    program.write_text(f"import process from 'node:process';{_CONNECTING}")
    edge = (tmp_path / "edge.js").as_uri()

    # On standard error the runtime words its own message about a missing module.
    command = command_of(runtime, program)
    told = printed_by(*command, edge, env=environment(), timeout=_PATIENCE_S)

    assert told == (
        "StartFailed: The thread did not start; it needs edge-worker.js of the installed package. "
        "If the program is bundled, install treeglass where it runs, or pass the package's folder "
        "assets as connect({ assets }); if it is not bundled, install treeglass again.\n"
    )


def test_deno_without_permissions_is_told_which_it_needs(tmp_path: Path) -> None:
    program = tmp_path / "program.mjs"
    # Named in the text: Deno asks for the permission to read what an expression names.
    edge = (PACKAGE / "edge.js").as_uri()
    program.write_text(
        _CONNECTING.replace("await import(process.argv[2])", f'await import("{edge}")')
    )
    command = command_of("deno", program)
    bare = [word for word in command if not word.startswith("--allow-read")]

    told = printed_by(*bare, env=environment(), timeout=_PATIENCE_S)

    assert told == (
        "StartFailed: The thread did not start, because this program may not read the package; run "
        "Deno with --allow-read for the package's folder and for the folders that you mount.\n"
    )
