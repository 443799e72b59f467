"""The list of public names shows each entry of both packages, and nothing that is private."""

import re

import treeglass
from build_steps.site.javascript_reference import public_modules
from build_steps.web.api_surface import FILE
from treeglass import authoring

_NPM, _PYTHON = FILE.read_text("utf-8").partition("\n# Python\n")[::2]


def test_every_entry_of_the_npm_package_has_a_section() -> None:
    entries = re.findall(r"^## (\S+)$", _NPM, re.MULTILINE)

    assert entries == list(public_modules())


def test_every_name_of_the_python_package_is_listed() -> None:
    missing = {
        name
        for name in [*treeglass.__all__, *authoring.__all__]
        if not re.search(rf"^(?:class |def )?{name}\b", _PYTHON, re.MULTILINE)
    }

    assert missing == set()


def test_nothing_private_and_no_comment_is_listed() -> None:
    listed = re.findall(
        r"#private|\bprivate\b|^ *(?:/\*|//)|def _[a-z]\w*", _NPM + _PYTHON, re.MULTILINE
    )

    assert listed == []
