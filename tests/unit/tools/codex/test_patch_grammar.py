"""The grammar of `apply_patch`: what it allows is a patch, except two forms without lines."""

import re

import pytest

from tests.conformance.edits.edit_cases import load
from treeglass.tools.codex.changes.definitions import PATCH_GRAMMAR
from treeglass.tools.codex.changes.patch_text import PatchInvalid, parse_patch

RULE = re.compile(r"^(\w+): (.+)$", re.MULTILINE)
TOKEN = re.compile(r'"(?P<text>[^"]*)"|/(?P<regex>.*?)/|(?P<name>\w+)|(?P<rest>[()|+?]|\s+)')

BEGIN, END = "*** Begin Patch\n", "*** End Patch"


def as_regex(rule: str, rules: dict[str, str]) -> str:
    """Return a rule as one regex: none of them leads back to itself."""
    parts = []
    for token in TOKEN.finditer(rules[rule]):
        if token["text"] is not None:
            parts.append(f"(?:{re.escape(token['text'])})")
        elif token["regex"] is not None:
            parts.append(f"(?:{token['regex']})")
        elif token["name"] is not None:
            parts.append(as_regex(token["name"], rules))
        else:
            parts.append(token["rest"].strip())
    return f"(?:{''.join(parts).replace('(?:', '(').replace('(', '(?:')})"


GRAMMAR = re.compile(as_regex("start", {**dict(RULE.findall(PATCH_GRAMMAR)), "LF": r"/\n/"}))

PATCHES = [
    pytest.param(call["patch"], id=f"{case.id}-{number}")
    for case in load("apply_patch")
    for number, call in enumerate(case.recorded["calls"])
    if "patch" in call
]


def is_patch(text: str) -> bool:
    try:
        return bool(parse_patch(text, lambda: None).hunks)
    except PatchInvalid as error:
        # An update, or a context marker, without lines.
        return error.fault.endswith(" is empty") or "line found in update hunk: '@@" in error.fault


@pytest.mark.parametrize("text", PATCHES)
def test_a_recorded_text_that_the_grammar_allows_is_a_patch(text: str) -> None:
    assert GRAMMAR.fullmatch(text) is None or is_patch(text)


def test_the_grammar_allows_most_recorded_patches() -> None:
    allowed = [case for case in PATCHES if GRAMMAR.fullmatch(str(case.values[0]))]

    assert len(allowed) == 114


@pytest.mark.parametrize(
    "body",
    [
        "*** Add File: a b\n+\n+x\n",
        "*** Delete File: a\n*** Delete File: b\n",
        "*** Update File: a\n*** Move to: b\n",
        "*** Update File: a\n@@ class A\n x\n-y\n+z\n@@\n \n+\n*** End of File\n",
    ],
)
def test_the_grammar_allows_every_form_of_a_hunk(body: str) -> None:
    for text in (f"{BEGIN}{body}{END}", f"{BEGIN}{body}{END}\n"):
        assert GRAMMAR.fullmatch(text)


@pytest.mark.parametrize(
    "body",
    ["", "*** Add File: a\n", "*** Add File: a\n\n", "*** Update File: a\n\n", "@@\n-a\n", " \n"],
)
def test_the_grammar_is_stricter_than_the_parser(body: str) -> None:
    assert GRAMMAR.fullmatch(f"{BEGIN}{body}{END}") is None
