"""No link of what is published leads to a file that is not there; one constant names the host."""

import importlib.metadata
import json
import re
import tomllib
from pathlib import Path
from urllib.parse import urlsplit

import pytest

import treeglass
from build_steps.packaged_pages import REPOSITORY, project_addresses
from tests.support.markdown_links import ADDRESS, is_there, links_of, tokens_of

AT_THIS_VERSION = re.compile(
    rf"{re.escape(REPOSITORY)}/(blob|raw)/v{re.escape(treeglass.__version__)}/(?P<file>.+)"
)
"""A file of the repository, at the tag of this version."""

_A_RECORDED_DEMO = """
A link to a directory, named:

```text
list_dir {"dir_path": "/repo/manual"}
```

```text
Absolute path: /repo/manual
changes.md@
rounding.md
```

`/` lists the mounts.
"""

_TYPE_LINK = re.compile(r"\{@link\s+(\w+)[^}]*\}|\]\(([^)\s]+)\)")
_DECLARED = re.compile(r"\b(?:interface|class|type|function|const|enum)\s+(\w+)")


def test_every_link_of_a_page_in_the_npm_package_leads_to_a_file_and_a_heading_in_it(
    package: Path,
) -> None:
    pages = {page: links_of(page.read_text("utf-8")) for page in package.rglob("*.md")}
    inside = [
        (page, link) for page, links in pages.items() for link in links if not urlsplit(link).scheme
    ]
    # The texts of licences are other people's.
    written = [links for page, links in pages.items() if page.name != "THIRD-PARTY.md"]
    outside = {link for links in written for link in links if urlsplit(link).scheme}

    dead = [
        (page.relative_to(package).as_posix(), link)
        for page, link in inside
        if not is_there(page.resolve(), link, Path.is_file)
        or package.resolve() not in (page.parent / urlsplit(link).path).resolve().parents
    ]
    assert dead == []
    assert {link for link in outside if not ADDRESS.fullmatch(link)} == set()
    assert len(inside) > 100


def test_the_documentation_has_the_answer_of_each_demo_and_nothing_for_sphinx_alone(
    package: Path,
) -> None:
    pages = {page: page.read_text("utf-8") for page in (package / "docs").rglob("*.md")}
    fences = [
        (page.name, token.info)
        for page, text in pages.items()
        for token in tokens_of(text)
        if token.type == "fence"
    ]

    assert [fence for fence in fences if fence[1].startswith("{")] == []
    assert _A_RECORDED_DEMO in pages[package / "docs" / "tools" / "list_dir.md"]
    # Pages that Sphinx fills from the code.
    assert {page.name for page in pages} & {"python.md", "javascript.md"} == {"python.md"}
    assert not (package / "docs" / "reference" / "python.md").exists()


def test_every_link_of_the_types_leads_to_a_declaration_of_the_package(package: Path) -> None:
    texts = {path: path.read_text("utf-8") for path in (package / "types").rglob("*.d.ts")}
    declared = {name for text in texts.values() for name in _DECLARED.findall(text)}

    dead = [
        (path.relative_to(package).as_posix(), name or address)
        for path, text in texts.items()
        for name, address in _TYPE_LINK.findall(text)
        if (name and name not in declared) or (address and not ADDRESS.fullmatch(address))
    ]
    assert dead == []


@pytest.mark.parametrize("publisher", ["npm", "PyPI"])
def test_every_link_of_a_published_readme_is_absolute_and_leads_to_a_file_of_the_repository(
    package: Path, root: Path, publisher: str
) -> None:
    readme = {
        "npm": (package / "README.md").read_text("utf-8"),
        "PyPI": importlib.metadata.metadata("treeglass")["Description"],
    }[publisher]

    links = links_of(readme)
    files = [found["file"] for found in map(AT_THIS_VERSION.fullmatch, links) if found]

    assert {link for link in links if not ADDRESS.fullmatch(link)} == set()
    ours = [link for link in links if "treeglass/" in link]
    assert [link for link in ours if not link.startswith(REPOSITORY)] == []
    assert [file for file in files if not is_there(root / "README.md", file, Path.is_file)] == []
    relative = [
        link
        for link in links_of((root / "README.md").read_text("utf-8"))
        if not urlsplit(link).scheme
    ]
    assert len(files) == len(relative)


def test_both_manifests_name_the_addresses_of_one_constant(package: Path, root: Path) -> None:
    addresses = project_addresses()
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    of_npm = json.loads((package / "package.json").read_text("utf-8"))
    of_wheel = importlib.metadata.metadata("treeglass").get_all("Project-URL") or []

    assert project["urls"] == addresses
    assert dict(url.split(", ", 1) for url in of_wheel) == addresses
    assert {key: of_npm[key] for key in ("homepage", "repository", "bugs")} == {
        "homepage": addresses["Homepage"],
        "repository": {"type": "git", "url": f"git+{addresses['Repository']}.git"},
        "bugs": {"url": addresses["Issues"]},
    }
    assert {urlsplit(address).netloc for address in addresses.values()} == {
        urlsplit(REPOSITORY).netloc
    }
