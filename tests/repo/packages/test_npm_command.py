"""`npx treeglass`, as the package ships it."""

import re
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

import treeglass
from build_steps.programs import find_program
from tests.support.programs import printed_by, run

_USAGE = "treeglass --help prints the usage"


class _Ran(NamedTuple):
    code: int
    output: str
    error: str


def _run(dist: Path, *arguments: str, folder: Path) -> _Ran:
    ran = run(find_program("node"), dist / "npm" / "command.js", *arguments, folder=folder)
    return _Ran(ran.returncode, ran.stdout, ran.stderr)


def _files_below(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_assets_copies_what_pages_fetch_and_its_licences(dist: Path, tmp_path: Path) -> None:
    ran = _run(dist, "assets", "public/treeglass", folder=tmp_path)

    package = dist / "npm"
    licences = {name: (package / name).read_bytes() for name in ("LICENSE", "THIRD-PARTY.md")}
    copied = _files_below(tmp_path / "public" / "treeglass")
    assert copied == {**_files_below(package / "assets"), **licences}
    assert {"worker.js", "start.json"} < set(copied)
    assert ran == _Ran(0, f"Copied {len(copied)} files into public/treeglass.\n", "")


_MAX_COMPRESSED_AGAIN_BYTES = 500_000
"""The two parts of the interpreter are larger; to compress these again takes a minute."""


@pytest.mark.rebuild
def test_assets_makes_the_compressed_siblings_that_the_site_has(dist: Path, tmp_path: Path) -> None:
    smaller = tmp_path / "dist"
    shutil.copytree(dist / "npm", smaller / "npm", ignore=_larger_assets)

    ran = _run(smaller, "assets", "public", "--compressed", folder=tmp_path)

    copied = _files_below(tmp_path / "public")
    site = _files_below(dist / "site" / "assets")
    expected = {
        name: content
        for name, content in site.items()
        if name in copied or (name.endswith(".br") and name.removesuffix(".br") in copied)
    }
    licences = {"LICENSE", "THIRD-PARTY.md"}
    assert {name: copied[name] for name in copied.keys() - licences} == expected
    assert {"worker.js", "worker.js.br"} < set(copied)
    assert ran.code == 0


def _larger_assets(folder: str, names: list[str]) -> set[str]:
    sizes = {name: (Path(folder) / name).stat().st_size for name in names}
    return {
        name
        for name, size in sizes.items()
        if "assets" in folder and size > _MAX_COMPRESSED_AGAIN_BYTES
    }


def test_assets_keeps_files_that_open_pages_may_still_fetch(dist: Path, tmp_path: Path) -> None:
    (tmp_path / "pyodide-0").mkdir()
    (tmp_path / "pyodide-0" / "pyodide.mjs").write_bytes(b"earlier")
    (tmp_path / "worker.js").write_bytes(b"earlier")

    ran = _run(dist, "assets", ".", folder=tmp_path)

    assert ran.code == 0
    assert (tmp_path / "pyodide-0" / "pyodide.mjs").read_bytes() == b"earlier"
    current = dist / "npm" / "assets" / "worker.js"
    assert (tmp_path / "worker.js").read_bytes() == current.read_bytes()


def test_a_folder_that_cannot_be_written_is_named(dist: Path, tmp_path: Path) -> None:
    (tmp_path / "public").write_bytes(b"a file")

    ran = _run(dist, "assets", "public", folder=tmp_path)

    assert (ran.code, ran.output) == (1, "")
    expected = r"treeglass: the assets could not be copied into public: \w+: .*'public'.*\n"
    assert re.fullmatch(expected, ran.error)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["asset"], "the command asset is unknown; the commands are: assets, mcp"),
        (["pack", "docs"], "pack is in the Python package: uvx treeglass pack"),
        (["assets"], "assets takes one folder, such as public/treeglass"),
        (["assets", "a", "b"], "assets takes one folder, such as public/treeglass"),
        (["mcp"], "mcp takes at least one mount, such as --mount /repo=."),
        (["mcp", "--mount", "/repo"], '"/repo" is not of the form /PATH=DIR'),
        (["mcp", "--mount", "/repo=.", "."], "mcp takes no argument such as ., only options"),
        (
            ["mcp", "--mount", "/repo=.", "--results", "json"],
            "--results is json; it has to be text, structured or both",
        ),
        (
            ["mcp", "--mount", "/repo=.", "--family", "Codex"],
            "--family is Codex; it has to be codex, envelope, forge, all",
        ),
    ],
)
def test_wrong_usage_says_what_is_right(
    dist: Path, tmp_path: Path, arguments: list[str], reason: str
) -> None:
    ran = _run(dist, *arguments, folder=tmp_path)

    assert ran == _Ran(2, "", f"treeglass: {reason}; {_USAGE}\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("arguments", [("assets", "public"), ("mcp", "--mount", "/repo=.")])
def test_an_unknown_option_is_refused_by_name(
    dist: Path, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    ran = _run(dist, *arguments, "--brotli", folder=tmp_path)

    assert ran == _Ran(2, "", f"treeglass: Unknown option '--brotli'; {_USAGE}\n")


@pytest.mark.parametrize("name", ["assets", "mcp"])
@pytest.mark.parametrize("option", ["--help", "-h"])
def test_a_command_prints_its_part_of_the_usage(
    dist: Path, tmp_path: Path, name: str, option: str
) -> None:
    whole = _run(dist, "--help", folder=tmp_path).output
    (part,) = re.findall(
        rf"^  treeglass {name} .*?\n\n      example: .*?\n", whole, re.DOTALL | re.MULTILINE
    )

    ran = _run(dist, name, option, "--mount", folder=tmp_path)

    assert ran == _Ran(0, f"usage:\n{part}", "")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (
            ["--mount", "/repo=none"],
            "--mount /repo=none: '{folder}/none' does not exist; name the folder to mount",
        ),
        (
            ["--mount", "/repo=a.txt"],
            "--mount /repo=a.txt: '{folder}/a.txt' is not a folder; name the folder to mount",
        ),
        (
            ["--mount", "/repo=.", "--mount", "/repo=."],
            "two mounts have the same virtual path",
        ),
        (
            ["--mount", "/repo=.", "--patch", "out.patch"],
            (
                "--patch out.patch: it lies in the mounted folder '{folder}', which is never "
                "written; name a file elsewhere"
            ),
        ),
        (
            ["--mount", "/repo=.", "--patch", "none/out.patch"],
            "--patch none/out.patch: the folder '{folder}/none' does not exist",
        ),
        (
            ["--mount", "/repo=.", "--patch", ".."],
            "--patch ..: it is a folder; name the file to write",
        ),
        (
            ["--mount", "/repo=."],
            (
                "to serve MCP takes the package @modelcontextprotocol/server of version 2: start "
                "it by npx -p treeglass -p @modelcontextprotocol/server@2 treeglass mcp, or "
                "install both"
            ),
        ),
    ],
    ids=[
        *("no folder", "a file", "one path twice"),
        *("a patch in a mount", "a patch nowhere", "a folder as a patch", "no SDK"),
    ],
)
def test_a_server_that_cannot_start_says_what_is_missing(
    dist: Path, tmp_path: Path, arguments: list[str], reason: str
) -> None:
    (tmp_path / "a.txt").write_bytes(b"")

    ran = _run(dist, "mcp", *arguments, folder=tmp_path)

    assert ran == _Ran(2, "", f"treeglass: {reason.format(folder=tmp_path)}\n")


def _words_of_node(text: str) -> str:
    """Return what this Node says of a text that is no JSON; versions differ."""
    script = "try { JSON.parse(process.argv[1]) } catch (error) { console.log(error.message) }"
    return printed_by(find_program("node"), "-e", script, "--", text).strip()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", f"is not JSON: {_words_of_node('{')}"),
        (
            "tools",
            "is not TOML: Invalid TOML document: incomplete key-value: cannot find end of key",
        ),
    ],
)
def test_a_configuration_that_cannot_be_read_is_named(
    dist: Path, tmp_path: Path, text: str, reason: str
) -> None:
    (tmp_path / "c.toml").write_text(text)

    ran = _run(dist, "mcp", "--mount", "/repo=.", "--config", "c.toml", folder=tmp_path)

    assert ran == _Ran(2, "", f"treeglass: c.toml {reason}\n")


def test_the_command_prints_its_version(dist: Path, tmp_path: Path) -> None:
    expected = _Ran(0, f"treeglass {treeglass.__version__}\n", "")
    assert _run(dist, "--version", folder=tmp_path) == expected


def test_the_usage_names_every_command(dist: Path, tmp_path: Path) -> None:
    ran = _run(dist, "--help", folder=tmp_path)

    assert ran == _run(dist, folder=tmp_path)
    assert (ran.code, ran.error) == (0, "")
    assert re.findall(r"^  treeglass (\w+)", ran.output, re.MULTILINE) == ["assets", "mcp"]
