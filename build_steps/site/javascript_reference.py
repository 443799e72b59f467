"""The reference of the JavaScript API: a page for each module, and one for each of its exports."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath

from build_steps.folders import DOCUMENTATION, PLAYGROUND, WEB, WEB_SOURCES, tree_files
from build_steps.npm.npm_package import package_manifest
from build_steps.programs import find_program, run
from build_steps.web.packages import install_locked

# A package of its own, since TypeDoc needs an older TypeScript than the project's.
TYPEDOC = WEB / "typedoc"

FIRST = ("connect", "TreeglassClient")
"""The exports that the page of the client names before all others."""

# The heading for each of these tags; TypeDoc writes one heading for each use of a tag.
_LISTS = {
    "Attr": "Attributes",
    "Csspart": "Parts",
    "Cssprop": "Custom properties",
    "Fires": "Events",
}

_FRONT_MATTER_OF_EXPORT = "---\norphan: true\ntocdepth: 3\n---\n\n"
"""No table of contents names it: the page of its module does, and the sidebar stays short."""

_PASSED_ON = re.compile(r"### \w+\n\nRe-exports (?P<link>\[.*\))\n(?:\n\*\*\*\n\n)?")
_ITEM = re.compile(r"^- \[(?P<name>\w+)\]\((?P<address>[^)]+)\)\n", re.MULTILINE)


def api_sources() -> list[Path]:
    """Return every file that decides the reference of the JavaScript API."""
    configuration = [path for path in TYPEDOC.iterdir() if path.suffix == ".json"]
    of_pages = {PLAYGROUND, DOCUMENTATION}
    sources = [path for path in tree_files(WEB_SOURCES) if of_pages.isdisjoint(path.parents)]
    return [*configuration, *sources]


def public_modules() -> dict[str, Path]:
    """Return each module that the npm package exports, by the name that imports it."""
    exported = package_manifest()["exports"]
    types = {name: entry["types"] for name, entry in exported.items() if isinstance(entry, dict)}
    return {
        str(PurePosixPath("treeglass", name)): (
            WEB_SOURCES / declared.replace("./types/", "").replace(".d.ts", ".ts")
        )
        for name, declared in types.items()
    }


def module_page(source: Path) -> PurePosixPath:
    """Return where the page of a module is, below the folder of the reference.

    The pages of its exports lie in folders beside it, such as `functions/`.
    """
    return PurePosixPath(source.relative_to(WEB_SOURCES).with_suffix("").as_posix(), "index.md")


def write_javascript_reference(folder: Path) -> None:
    """Write a page for each public module and for each of its exports into a new folder."""
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
    # A list of the modules, which the page that includes them has already.
    (folder / "index.md").unlink()
    for name, source in modules.items():
        page = folder / module_page(source)
        _rewrite(page, _module_text(page.read_text(encoding="utf-8"), name))
        for export in sorted(page.parent.glob("*/*.md")):
            _rewrite(export, _export_text(export.read_text(encoding="utf-8"), name))


def _rewrite(page: Path, text: str) -> None:
    page.write_text(text, encoding="utf-8", newline="\n")


def _module_text(text: str, module: str) -> str:
    # Without TypeDoc's title, which is the file's name.
    body = text.partition("\n")[2].replace("\n## References\n", "\n## Also exported\n")
    body = _PASSED_ON.sub(r"- \g<link>\n", body)
    first = [item for item in _ITEM.finditer(body) if item["name"] in FIRST]
    if module != "treeglass":
        return f"# {module}\n{body}"
    first.sort(key=lambda item: FIRST.index(item["name"]))
    for item in first:
        body = body.replace(item[0], "")
    body = re.sub(r"## \w+\n\n(?=## |\Z)", "", body.lstrip("\n"))
    return f"# {module}\n\n## Start here\n\n{''.join(item[0] for item in first)}\n{body}"


def _export_text(text: str, module: str) -> str:
    title, _, body = text.partition("\n")
    title = re.sub(r"^# [\w ]+: ", "# ", title)
    # A default may be described in words, which are no TypeScript.
    body = body.replace("# Default\n\n```ts\n", "# Default\n\n```text\n").replace("\n***\n", "")
    for tag, heading in _LISTS.items():
        body = _with_list(body, tag, heading)
    return f"{_FRONT_MATTER_OF_EXPORT}{title}\n\n> From [`{module}`](../index.md).\n{body}"


def _with_list(text: str, tag: str, title: str) -> str:
    """Return a text in which the headings of a tag have become one heading with a list."""
    found = re.search(rf"^(?P<level>#+) {tag}\n\n", text, re.MULTILINE)
    if not found:
        return text
    before, after = text[: found.start()], text[found.end() :]
    items = re.sub(rf"(?:^|\n{re.escape(found[0])})([\w-]+) - ", r"- `\1`: ", after)
    return f"{before}{found['level']} {title}\n\n{items}"
