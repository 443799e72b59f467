"""What the documentation tells users to paste works in projects of their own."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Route

import treeglass
from build_steps.folders import NPM
from tests.browser.pyodide_stand_ins import CDN_HOST, fulfill
from tests.bundlers.built_project import (
    built_and_shown,
    install,
    run,
    served,
    served_and_shown,
    shown_at,
)
from tests.bundlers.bundlers import BUNDLERS
from tests.docs.blocks.code_blocks import blocks_of
from tests.support.browser_support import Browsers, open_watched_page
from tests.support.served_directory import serve_directory

pytestmark = pytest.mark.network

_BY_TITLE = {bundler.title: bundler for bundler in BUNDLERS}

_ON_CDN = f"https://{CDN_HOST}/npm/treeglass@{treeglass.__version__}/"

_LISTING = "Absolute path: /repo\nREADME.md\nsrc/\n  app.py"
"""What the README's script and the page for a CDN get for their calls."""

_IN_AN_EFFECT = """"use client";

import {{ useEffect, useState }} from "react";
{imports}

export default function Page() {{
  const [shown, setShown] = useState("");
  useEffect(() => {{
    async function run() {{
{body}
      setShown(result.content);
    }}
    run().catch(reportError);
  }}, []);
  return <pre>{{shown}}</pre>;
}}
"""


def _readme_script() -> str:
    (script,) = (block.text for block in blocks_of("README.md") if block.tag == "js")
    return script


def test_readme_script_runs_when_pasted_into_webpack_s_entry(
    browsers: Browsers, tarball: Path, tmp_path: Path
) -> None:
    bundler = _BY_TITLE["webpack"]
    project = install(bundler, tarball, tmp_path)
    shows = 'document.querySelector("pre").textContent = result.content;\n'
    (project / "src" / "index.js").write_text(_readme_script() + shows, "utf-8")

    assert built_and_shown(bundler, project, browsers) == _LISTING


def test_client_works_in_a_deep_reference_of_vue(
    browsers: Browsers, tarball: Path, tmp_path: Path
) -> None:
    bundler = _BY_TITLE["Vue, by Vite"]
    project = install(bundler, tarball, tmp_path)
    component = project / "src" / "App.vue"
    deep = component.read_text("utf-8").replace("shallowRef(", "ref(")
    component.write_text(deep, "utf-8")

    shown = json.loads(built_and_shown(bundler, project, browsers))

    assert deep.count(" ref(") == 2
    assert shown["answers"]["list_dir"] == _LISTING


def test_recipe_survives_strict_mode_on_a_development_server(
    browsers: Browsers, tarball: Path, tmp_path: Path
) -> None:
    project = install(_BY_TITLE["React, by Vite"], tarball, tmp_path)

    shown = json.loads(served_and_shown("npx vite", project, browsers))

    assert shown["answers"]["list_dir"] == _LISTING


def test_recipe_and_readme_script_in_an_effect_survive_strict_mode_of_next(
    browsers: Browsers, tarball: Path, tmp_path: Path
) -> None:
    project = install(_BY_TITLE["Next, by Turbopack"], tarball, tmp_path)
    imports, _, body = _readme_script().partition("\n\n")
    pasted = project / "app" / "readme" / "page.jsx"
    pasted.parent.mkdir()
    pasted.write_text(_IN_AN_EFFECT.format(imports=imports, body=body), "utf-8")

    with served("npx next dev --port 0", project) as origin:
        shown = json.loads(shown_at(origin, browsers))
        shown_by_readme = shown_at(f"{origin}/readme", browsers)

    assert shown["answers"]["list_dir"] == _LISTING
    assert shown_by_readme == _LISTING


def test_page_without_a_bundler_gets_everything_from_a_cdn(
    browsers: Browsers, tmp_path: Path
) -> None:
    (page,) = (block.text for block in blocks_of("docs/bundlers.md") if block.tag == "html")
    (tmp_path / "index.html").write_text(page, "utf-8")

    with _page_with_a_cdn(browsers, tmp_path) as (shown, fetched):
        assert shown.text_content() == _LISTING
        assert f"{_ON_CDN}index.js" in fetched


def test_bundled_page_may_leave_the_assets_on_a_cdn(
    browsers: Browsers, tarball: Path, tmp_path: Path
) -> None:
    bundler = _BY_TITLE["webpack"]
    project = install(bundler, tarball, tmp_path)
    for name in ("index.js", "answers.js"):
        module = project / "src" / name
        text = module.read_text("utf-8").replace('"/treeglass/"', f'"{_ON_CDN}assets/"')
        module.write_text(text, "utf-8")
    (project / "dist" / "treeglass").rename(project / "unserved")
    run(bundler.command, project)

    with _page_with_a_cdn(browsers, project / "dist") as (shown, fetched):
        answers = json.loads(shown.text_content() or "")["answers"]

    assert answers["list_dir"] == _LISTING
    assert f"{_ON_CDN}assets/worker.js" in fetched


@contextmanager
def _page_with_a_cdn(browsers: Browsers, folder: Path) -> Iterator[tuple[Locator, list[str]]]:
    """Open a folder's page, with the built package on the CDN.

    Yields the text that the page shows, and the addresses on the CDN that it has fetched.
    """
    fetched: list[str] = []

    def answer(route: Route) -> None:
        fetched.append(route.request.url)
        path = route.request.url.removeprefix(_ON_CDN)
        fulfill(route, path, (NPM / path).read_bytes())

    with (
        serve_directory(folder) as origin,
        open_watched_page(browsers.get("chromium"), answered_hosts=frozenset({CDN_HOST})) as page,
    ):
        page.context.route(f"{_ON_CDN}**", answer)
        page.goto(origin)
        yield page.locator("pre:not(:empty)"), fetched
