"""Two examples as projects that a button in the documentation opens in StackBlitz.

The button sends a form without a script: https://developer.stackblitz.com/platform/api/post-api.
"""

from __future__ import annotations

import json
from html import escape
from typing import TYPE_CHECKING

from build_steps.folders import WEB, project_version

if TYPE_CHECKING:
    from pathlib import Path

EXAMPLES = {
    "vite-ai-sdk": "A chat that reads a tree",
    "webmcp": "Tools for the browser's own agent",
}
"""The examples that have a button, each with the title of its project."""

VITE = "7.3.8"
"""Vite 8 has failed to start in StackBlitz several times, because its bundler is native code."""

_FORM = """\
<form class="stackblitz" method="post" action="https://stackblitz.com/run" target="_blank" \
rel="noopener">
{fields}
<button>Open in StackBlitz</button>
<p>StackBlitz receives the files of the example and installs treeglass {version} from npm, \
so the button works once npm has that version.</p>
</form>
"""


def example_files() -> list[Path]:
    """Return the files of all projects, on which the pages depend."""
    return [path for name in EXAMPLES for path in _sources(name)]


def project_files(name: str) -> dict[str, str]:
    """Return an example as a project of its own: the text of each file by its name."""
    files = {path.name: path.read_text(encoding="utf-8") for path in _sources(name)}
    package = json.loads(files["package.json"])
    package["dependencies"]["treeglass"] = project_version()
    package["devDependencies"]["vite"] = VITE
    return files | {"package.json": json.dumps(package, indent=2) + "\n"}


def _sources(name: str) -> list[Path]:
    # What npm makes lies in folders, except the lock; `.npmrc` is for the package in this clone.
    return sorted(
        path
        for path in (WEB / "examples" / name).iterdir()
        if path.is_file() and not path.name.startswith(".") and path.name != "package-lock.json"
    )


def project_form(name: str) -> str:
    """Return the button as HTML: a form that holds the project."""
    values = {
        "project[title]": EXAMPLES[name],
        "project[description]": f"The example {name} of treeglass",
        "project[template]": "node",
        **{f"project[files][{path}]": text for path, text in project_files(name).items()},
    }
    fields = (
        f'<input type="hidden" name="{escape(field)}" value="{escape(value)}">'
        for field, value in values.items()
    )
    return _FORM.format(fields="\n".join(fields), version=project_version())
