"""The form of a text of an answer: sanitised, and cut to whole lines.

Sanitising takes out what could steer a terminal or hide from a person, and masks keys, as
specified in sanitising.md. Every pass takes time in proportion to the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from treeglass.utf8 import byte_length

if TYPE_CHECKING:
    Checkpoint = Callable[[], None]

_BIDI = "\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069"
_INVISIBLE = (
    "\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180e\\u200b-\\u200f\\u202a-\\u202e"
    "\\u2060-\\u2069\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff9-\\ufffb"
    "\\U000e0000-\\U000e007f\\U000e0100-\\U000e01ef"
)
_CONTROL_SEQUENCE = "[\\x20-\\x3f]*[\\x40-\\x7e]?"

_terminal = re.compile(
    "\\x1b(?:"
    f"\\[{_CONTROL_SEQUENCE}"
    "|\\].*?(?:\\x07|\\x1b\\\\|\\Z)"
    "|[P^_].*?(?:\\x1b\\\\|\\Z)"
    "|[()*+# ].?"
    "|[78cDEHMNOZ=><]"
    ")?"
    f"|\\x9b{_CONTROL_SEQUENCE}"
    f"|[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f{_BIDI}]",
    re.DOTALL,
)
_invisible = re.compile(f"[{_INVISIBLE}]")
_hidden_in_path = re.compile(f"[\\x00-\\x1f\\x7f-\\x9f{_INVISIBLE}]")

_PART = "[A-Za-z0-9_-]"
_AWS_ID = r"\b(AKIA|ASIA|AIDA|AROA|AGPA|AIPA|ANPA|ANVA)[A-Z0-9]{16}"
_AWS_VALUE = r"[A-Za-z0-9/+=]{40}\b"

_pem_begin = re.compile("-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----")
_pem_end = re.compile("-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----")

_keys: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(rf"{_AWS_ID}(\s+){_AWS_VALUE}"), r"\1***\2[REDACTED]"),
    (re.compile(rf"(?i:\b(aws_secret_access_key\s*[:=]\s*)){_AWS_VALUE}"), r"\1[REDACTED]"),
    (re.compile(rf"{_AWS_ID}\b"), r"\1***"),
    (re.compile(r"\b(github_pat_)[A-Za-z0-9_]{20,}+\b"), r"\1***"),
    (re.compile(r"\b(gh[pousr]_)[A-Za-z0-9]{20,}+\b"), r"\1***"),
    (re.compile(r"\b(whsec_)[A-Za-z0-9]{10,}+\b"), r"\1***"),
    (re.compile(r"\b([srp]k_(?:live|test)_)[A-Za-z0-9]{10,}+\b"), r"\1***"),
    (re.compile(rf"\b((?i:Bearer)\s+){_PART}++(?:\.{_PART}++){{2,}}"), r"\1[REDACTED]"),
)
# A part that fails is taken whole: a later `eyJ` in it would fail, too, and cost as much again.
_web_token = re.compile(
    rf"\beyJ(?:{_PART}{{10,}}+(\.{_PART}{{10,}}+\.{_PART}{{10,}}\b)?|{_PART}*+)"
)
_keys_behind: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"(?i)\b(PRIVATE_KEY\s*[:=]\s*)0x[0-9a-f]{64}\b"), r"\1[REDACTED]"),
    (re.compile(f"sk-ant-{_PART}+"), "sk-ant-***"),
    (re.compile(f"sk-(?!ant-)(?s:.){_PART}{{19,}}"), "sk-***"),
    (re.compile(f"AIza{_PART}+"), "AIza***"),
)


def sanitized(text: str, *, masks_keys: bool = True, checkpoint: Checkpoint = lambda: None) -> str:
    r"""Return a text as a model may read it.

    Escape sequences, controls except `\n`, `\t` and `\r`, and invisible characters are taken
    out; what has the shape of a key is masked, if keys are.

    Example:
        >>> sanitized("a\x1b[31mb\u200bc AIzaSyA12345")
        'abc AIza***'
    """
    for unwanted in (_terminal, _invisible):
        checkpoint()
        text = unwanted.sub("", text)
    return _without_keys(text, checkpoint) if masks_keys else text


def is_hidden_in_path(path: str) -> bool:
    """Tell whether a path holds a control or an invisible character."""
    return _hidden_in_path.search(path) is not None


def _without_keys(text: str, checkpoint: Checkpoint) -> str:
    checkpoint()
    text = _without_pem(text)
    for shape, instead in _keys:
        checkpoint()
        text = shape.sub(instead, text)
    checkpoint()
    text = _web_token.sub(lambda found: "[REDACTED]" if found[1] else found[0], text)
    for shape, instead in _keys_behind:
        checkpoint()
        text = shape.sub(instead, text)
    return text


def _without_pem(text: str) -> str:
    parts: list[str] = []
    at = 0
    while (begin := _pem_begin.search(text, at)) is not None:
        end = _pem_end.search(text, begin.end())
        if end is None:
            break
        parts += [text[at : begin.end()], "\n[REDACTED]\n", end[0]]
        at = end.end()
    return "".join((*parts, text[at:]))


NOTICE = "\n\n... [output truncated]"


class CutText(NamedTuple):
    """A text as it is given."""

    text: str
    kept_lines: int | None
    """The number of lines that are left; None for all."""


def cut_to_lines(text: str, budget_bytes: int) -> CutText:
    """Return a text within a budget: as many whole lines as fit, and `NOTICE` or its beginning."""
    if byte_length(text) <= budget_bytes:
        return CutText(text, None)
    room = budget_bytes - len(NOTICE)
    kept = size = 0
    lines = text.split("\n")
    for line in lines:
        # A line feed before each line but the first.
        size += byte_length(line) + (kept > 0)
        if size > room:
            break
        kept += 1
    return CutText(("\n".join(lines[:kept]) + NOTICE)[: None if room > 0 else budget_bytes], kept)
