"""The reference of the JavaScript API: Markdown, by TypeDoc, from types and their comments."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath

from build_steps.folders import WEB, tree_files
from build_steps.npm.npm_package import package_manifest
from build_steps.programs import find_program, run
from build_steps.web.packages import install_locked

# A package of its own, since TypeDoc brings a TypeScript that is older than the project's.
TYPEDOC = WEB / "typedoc"

# A heading for each of these tags, where TypeDoc writes one for every time that it is used.
_LISTS = {
    "Attr": "Attributes",
    "Csspart": "Parts",
    "Cssprop": "Custom properties",
    "Fires": "Events",
}

_FRONT_MATTER = "---\ntocdepth: 3\n---\n\n"


def api_sources() -> list[Path]:
    """Return every file that decides what the reference says."""
    configuration = [path for path in TYPEDOC.iterdir() if path.suffix == ".json"]
    sources = [path for path in tree_files(WEB / "src") if "playground" not in path.parts]
    return [*configuration, *sources]


def public_modules() -> dict[str, Path]:
    """Return each module that the npm package exports, by the name that imports it."""
    exported = package_manifest()["exports"]
    types = {name: entry["types"] for name, entry in exported.items() if isinstance(entry, dict)}
    return {
        str(PurePosixPath("treeglass", name)): WEB / "src" / _source_name(declared)
        for name, declared in types.items()
    }


def _source_name(declared: str) -> str:
    return declared.removeprefix("./types/").removesuffix(".d.ts") + ".ts"


def write_javascript_reference(folder: Path) -> None:
    """Write a page for each public module into a new folder, `index.md` for the client's.

    Raises:
        BuildFailed: TypeDoc cannot be fetched, or finds fault with a comment.
    """
    install_locked("typedoc", TYPEDOC)
    modules = public_modules()
    program = TYPEDOC / "node_modules" / "typedoc" / "bin" / "typedoc"
    entries = [argument for path in modules.values() for argument in ("--entryPoints", path)]
    run(
        [find_program("node"), program, "--logLevel", "Warn", "--out", folder, *entries],
        folder=TYPEDOC,
        otherwise="The reference of the JavaScript API could not be written: "
        "correct what TypeDoc says above and run again.",
    )
    # A list of the modules, which the page that includes them has too.
    (folder / "README.md").unlink()
    for name, source in modules.items():
        page = (folder / source.relative_to(WEB / "src")).with_suffix(".md")
        text = page.read_text(encoding="utf-8")
        page.write_text(_as_page(text, name), encoding="utf-8", newline="\n")


def _as_page(text: str, module: str) -> str:
    # The title is the file's name, and a rule stands before each heading, which is enough of one.
    text = text.partition("\n")[2].replace("\n***\n", "")
    # A default that is said in words is no TypeScript.
    text = text.replace("# Default\n\n```ts\n", "# Default\n\n```text\n")
    for tag, title in _LISTS.items():
        heading = f"#### {tag}\n\n"
        before, found, after = text.partition(heading)
        items = re.sub(rf"(?:^|\n{heading})([\w-]+) - ", r"- `\1`: ", after)
        text = f"{before}#### {title}\n\n{items}" if found else text
    return f"{_FRONT_MATTER}# {module}\n{text}"
