from __future__ import annotations

import pytest

from treeglass.__main__ import main


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        pytest.param([], "the following arguments are required: COMMAND", id="no command"),
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
            "treeglass: mount point '/a': No such file or directory (os error 2)",
            id="a directory that is missing",
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
    try:
        code: object = main(arguments)
    except SystemExit as left:
        code = left.code

    printed, complaints = capsys.readouterr()
    assert (code, printed) == (2, "")
    assert complaints.splitlines()[-1].endswith(sentence)
