"""The script and the style sheet that a page with demos loads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treeglass import __version__
from treeglass.authoring.site.directive import is_address

if TYPE_CHECKING:
    from pathlib import Path

_STYLES_PATH = f"_treeglass/theme-{__version__}.css"

_STYLES = """\
/* A demo follows `color-scheme`, and some themes say theirs by an attribute alone. */
[data-theme="light"] .treeglass { color-scheme: light; }
[data-theme="dark"] .treeglass { color-scheme: dark; }
@media (prefers-color-scheme: dark) {
  [data-theme="auto"] .treeglass { color-scheme: dark; }
}
/* Where no script runs, the call stands above its answer. */
treeglass-demo:not(:defined)::before {
  content: attr(tool) " " attr(arguments);
  display: block;
  font-family: monospace;
  overflow-wrap: anywhere;
}
"""


def render_head(script: str, to_root: str) -> str:
    """Return the elements that load the style sheet and the script.

    Args:
        script: The script's address: absolute, or relative to the root of the site.
        to_root: The way from the page to that root: empty, or with a slash at its end.
    """
    is_absolute = is_address(script) or script.startswith("/")
    address = script if is_absolute else f"{to_root}{script}"
    return (
        f'<link rel="stylesheet" href="{to_root}{_STYLES_PATH}">\n'
        f'<script type="module" src="{address}"></script>\n'
    )


def write_styles(site: Path) -> None:
    """Write the style sheet into a built site.

    Raises:
        OSError: It cannot be written.
    """
    target = site / _STYLES_PATH
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(_STYLES, "utf-8", newline="\n")
