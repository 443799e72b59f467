import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from treeglass import __version__
from treeglass.__main__ import _parser, main

COMMANDS = ("tools", "call", "batch", "mcp", "pack", "record")
FULL_DISK = Path("/dev/full")
MISSING = Path("no/such").absolute()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        pytest.param(
            ["rename"],
            "argument COMMAND: invalid choice: 'rename' (choose from 'tools', 'call', 'batch', "
            "'mcp', 'pack', 'record')",
            id="an unknown command",
        ),
        pytest.param(
            ["call", "LS", "{}"], "the following arguments are required: --mount", id="no mount"
        ),
        pytest.param(
            ["call", "LS", "{}", "--mount", "/repo"],
            "argument --mount: '/repo' is not of the form /PATH=DIR",
            id="half a mount",
        ),
        pytest.param(
            ["call", "LS", "{}", "--mount", "/a=.", "--mount", "/a=src"],
            "treeglass: two mounts have the same virtual path",
            id="a mount twice",
        ),
        pytest.param(
            ["call", "LS", "{}", "--mount", "/a=no/such"],
            f"treeglass: --mount /a=no/such: {str(MISSING)!r} does not exist; name the folder to "
            "mount",
            id="a folder that is missing",
        ),
        pytest.param(
            ["mcp", "--mount", f"/a={__file__}"],
            f"treeglass: --mount /a={__file__}: {__file__!r} is not a folder; name the folder to "
            "mount",
            id="a file instead of a folder",
        ),
        pytest.param(
            ["call", "LS", "{}", "--mount", "/a=.", "--project-root", "/b"],
            "treeglass: --project-root /b: No such file or directory (os error 2); name a virtual "
            "directory, / or one in a mount: /a",
            id="a project root that no mount holds",
        ),
        pytest.param(
            ["batch", "--mount", "/a=.", "--working-dir", "/a/no-such"],
            "treeglass: --working-dir /a/no-such: No such file or directory (os error 2); name a "
            "virtual directory, / or one in a mount: /a",
            id="a working directory that is missing",
        ),
        pytest.param(
            ["call", "LS", "@no-such.json", "--mount", "/a=."],
            "treeglass: the arguments cannot be read from no-such.json: No such file or directory",
            id="a file of arguments that is missing",
        ),
        pytest.param(
            ["tools", "--config", "no-such.toml"],
            "treeglass: cannot read no-such.toml: No such file or directory",
            id="a configuration that is missing",
        ),
        pytest.param(
            ["call", "LS", "{}", "--mount", "/a=.", "--max-output-bytes", "-1"],
            "argument --max-output-bytes: '-1' is not a number of bytes",
            id="a negative budget",
        ),
    ],
)
def test_wrong_usage_exits_with_two_and_a_sentence(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(arguments)

    printed, complaints = capsys.readouterr()
    assert (code, printed) == (2, "")
    assert complaints.splitlines()[-1].endswith(sentence)


def test_the_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    assert (main(["--version"]), *capsys.readouterr()) == (0, f"treeglass {__version__}\n", "")


def test_no_arguments_print_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    asked = (main(["--help"]), *capsys.readouterr())
    bare = (main([]), *capsys.readouterr())

    assert bare == asked
    assert asked[0] == 0
    assert asked[1].startswith("usage: treeglass [-h] [--version] COMMAND ...\n")


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_a_command_ends_with_examples_that_it_takes(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, "--help"]) == 0

    printed, _ = capsys.readouterr()
    examples = printed.partition("\nexamples:\n")[2].splitlines()
    for example in examples:
        program, *arguments = shlex.split(example.partition(" < ")[0])
        assert program == "treeglass"
        assert arguments[0] == command
        _parser().parse_args(arguments)
    assert examples


def test_a_configuration_key_writes_no_line_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "treeglass.toml"
    config.write_text('[tools]\n"a\\n::error::b\\u001b[31m" = 1\n')

    code = main(["tools", "--config", str(config)])

    printed, complaints = capsys.readouterr()
    assert (code, printed) == (2, "")
    assert complaints.count("\n") == 1
    assert "a\\u{A}::error::b\\u{1B}[31m" in complaints


@pytest.mark.skipif(not FULL_DISK.exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["tools"], id="tools"),
        pytest.param(["call", "LS", "{}", "--mount", "/a=."], id="call"),
        pytest.param(["batch", "--mount", "/a=."], id="batch"),
        pytest.param(["pack", ".", "-o", "packed.zip"], id="pack"),
        pytest.param(["record", "page.html"], id="record"),
        pytest.param(["--version"], id="--version"),
        pytest.param(["--help"], id="--help"),
    ],
)
def test_a_full_disk_exits_with_one_and_a_sentence(arguments: list[str], tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("<p>no demo</p>")
    with FULL_DISK.open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "treeglass", *arguments],
            cwd=tmp_path,
            input=b'{"tool": "LS", "arguments": {}}\n',
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            timeout=60,
        )

    assert (done.returncode, done.stderr) == (
        1,
        b"treeglass: stdin or stdout cannot be read or written: No space left on device\n",
    )
