"""Calls that agents should not send, and the words that fit any family."""

from typing import Any

EXAMPLES = {
    "list_dir": '{"dir_path": "/repo", "offset": 1, "limit": 25, "depth": 2}',
    "read_file": '{"file_path": "/repo/main.py", "offset": 1, "limit": 200}',
}
"""The end of such a refusal by the codex tools."""

_NOT_VALID = "the arguments are not valid JSON: "
_TOO_DEEP = "the arguments are nested too deeply"
_NO_OBJECT = "the arguments must be a JSON object"

NO_JSON = {
    "nothing": ("", f"{_NOT_VALID}Expecting value: line 1 column 1 (char 0)"),
    "prose": ("list it", f"{_NOT_VALID}Expecting value: line 1 column 1 (char 0)"),
    "cut off": (
        '{"path": "/repo',
        f"{_NOT_VALID}Unterminated string starting at: line 1 column 10 (char 9)",
    ),
    "two objects": ("{} {}", f"{_NOT_VALID}Extra data: line 1 column 4 (char 3)"),
    "a number that JSON lacks": ('{"path": NaN}', f"{_NOT_VALID}NaN is not a JSON number"),
    "nested 100,000 deep": ("[" * 100_000, _TOO_DEEP),
    "a list 10,000 deep in an object": (
        '{"path": ' + "[" * 10_000 + "]" * 10_000 + "}",
        _TOO_DEEP,
    ),
    "a list": ('["/repo"]', _NO_OBJECT),
    "null": ("null", _NO_OBJECT),
    "a lone surrogate": (
        '{"path": "\\ud800"}',
        "the arguments hold a lone surrogate, which is not valid Unicode",
    ),
}
"""Name of a text that is no JSON object: the text, and the reason."""

WRONG_TYPES: list[tuple[str, dict[str, Any], str]] = [
    ("list_dir", {}, "`dir_path` is missing"),
    ("list_dir", {"dir_path": 5}, "`dir_path` must be a string, not 5"),
    ("list_dir", {"dir_path": None}, "`dir_path` must be a string, not null"),
    ("read_file", {"path": "/repo/src/app.py"}, "`file_path` is missing"),
    (
        "read_file",
        {"file_path": ["/repo/src/app.py"]},
        '`file_path` must be a string, not ["/repo/src/app.py"]',
    ),
    (
        "read_file",
        {"file_path": "/repo/src/app.py", "mode": "all"},
        '`mode` must be "slice" or "indentation", not "all"',
    ),
    ("LS", {"path": 5}, "path must be a string."),
    ("LS", {"path": "src", "offset": -1}, "offset must be a non-negative integer."),
    ("LS", {"path": "src", "limit": 2**70}, "limit must be an integer between 1 and 200."),
    ("LS", {"path": "src", "limit": True}, "limit must be an integer between 1 and 200."),
    ("LS", {"path": "src", "include_hidden": 1}, "include_hidden must be true or false."),
    ("LS", {"path": "src", "ignore": "*.py"}, "ignore must be a list of glob patterns."),
    (
        "list_directory",
        {},
        "path is missing; give the directory to list, '.' for the working directory",
    ),
    ("list_directory", {"path": None}, "path must be a string, not null"),
    (
        "list_directory",
        {"path": "src", "recursive": "yes"},
        'recursive must be true or false, not "yes"',
    ),
    (
        "list_directory",
        {"path": "src", "max_entries": 2.0},
        "max_entries must be an integer, not 2.0",
    ),
]
"""Tool, arguments, and the fault in them."""

WAYS_OUT = [
    "/repo/../../etc/passwd",
    "/repo/src/../../etc",
    "/etc/passwd",
    "//etc//passwd",
    "/../etc",
    "/proc/self/environ",
    "..",
    "../../etc/passwd",
    "src/../../outside/secret.txt",
]
"""Paths that lead out of a mount at `/repo`."""
LINKS_OUT = ["out-absolute", "out-relative", "out-relative/secret.txt", "out-file"]
"""Names in the tree of `make_bad_tree` that lead to the secret beside it."""
