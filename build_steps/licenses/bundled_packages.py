"""The notices of the npm packages whose code is in the scripts of the site."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_LICENSE_FILES = ("LICENSE", "LICENSE.md", "LICENSE.txt", "LICENCE", "license", "License")
_NO_TEXT = "The package names its licence and brings no text of it."


def bundled_notices(packages: Iterable[Path]) -> str:
    """Return a section of Markdown with the name, the version and the licence of each package.

    A text that several packages share, such as that of one author, stands once.

    Args:
        packages: The folders of the packages.
    """
    by_text: dict[str, list[str]] = {}
    for package in packages:
        facts = json.loads((package / "package.json").read_text("utf-8"))
        name = f"{facts['name']} {facts['version']} ({facts['license']})"
        by_text.setdefault(_license_text(package), []).append(name)
    sections = [
        "### " + ", ".join(names) + f"\n\n```text\n{text}\n```\n" for text, names in by_text.items()
    ]
    return "\n## In the scripts of the playground\n\n" + "\n".join(sections)


def _license_text(package: Path) -> str:
    for name in _LICENSE_FILES:
        if (package / name).is_file():
            return (package / name).read_text("utf-8").strip()
    return _NO_TEXT
