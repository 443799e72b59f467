"""Local stand-ins for the registries and hosts that a quick start names.

In their place is what was built, and nothing else is changed:

- `npm install treeglass` installs the tarball that `npm pack` makes of
  `dist/npm`, and `pip install treeglass` the wheel of `dist/wheels`.
- The clone of the repository is a folder with a `build.py` that serves
  `dist/site`, and builds nothing.
- Addresses of `treeglass@VERSION` on the CDN are answered from `dist/npm`.
- Pyodide's own address on the CDN is answered from its npm package. That has
  none of its wheels, so those that `micropip` asks for are the ones that the
  project pins, and the lock names them.
- The Python package index knows one project, the wheel of `dist/wheels`.
- `http://localhost:11434`, where Ollama listens, is a server with a scripted
  model, whatever model it is asked for: for pages, and for programs that read
  its address from the environment.
"""

import json
import re
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, Route

from tests.browser.pyodide_stand_ins import (
    CDN_HOST,
    INDEX_HOST,
    answer_distribution,
    answer_index,
    fulfill,
    pyodide_distribution,
)
from tests.support.programs import pack_npm

ANSWERED_HOSTS = frozenset({CDN_HOST, INDEX_HOST})
"""The hosts whose requests are answered here."""

_stock_pyodide = cache(pyodide_distribution)


_BUILD = """\
import runpy, sys

assert sys.argv[1:] == ["serve"], sys.argv
sys.argv[1:] = ["--bind=127.0.0.1", "--directory", {site!r}, "0"]
runpy.run_module("http.server", run_name="__main__")
"""


class Registry:
    """The built packages, by the names under which a reader would install them."""

    def __init__(self, dist: Path, model_origin: str) -> None:
        """Pack the npm package; the scripted model answers at `model_origin`."""
        self._npm, self._site = dist / "npm", dist / "site"
        (self._wheel,) = (dist / "wheels").glob("treeglass-*.whl")
        self._version = json.loads((self._npm / "package.json").read_text("utf-8"))["version"]
        self._tarball = pack_npm()
        self._model_origin = model_origin

    def localised(self, script: str) -> str:
        """Return a script that installs what was built, from this machine."""
        return "".join(map(self._localised_line, script.splitlines(keepends=True)))

    def _localised_line(self, line: str) -> str:
        if line.startswith("npm install "):
            return re.sub(r"(?<= )treeglass(?=\s)", str(self._tarball), line)
        if line.startswith("pip install "):
            return re.sub(r"(?<= )treeglass(?=[\s\[])", str(self._wheel), line)
        if line.startswith("export OPENAI_BASE_URL="):
            model = f"{self._model_origin}/v1 OPENAI_API_KEY=any MODEL=explorer"
            return f"export OPENAI_BASE_URL={model}\n"
        # Any free port, in the place of one that may be taken.
        is_served = line.startswith("python3 -m http.server ")
        return re.sub(r"(?<= )8000$", "0", line, flags=re.MULTILINE) if is_served else line

    def put_clone(self, folder: Path) -> None:
        """Make a new folder that stands for a clone of the repository."""
        folder.mkdir()
        (folder / "build.py").write_text(_BUILD.format(site=str(self._site)), "utf-8")

    def answer(self, context: BrowserContext) -> None:
        """Answer from here everything that the pages of a browser ask a host for."""
        package = f"https://{CDN_HOST}/npm/treeglass@{self._version}/**"
        context.route(package, self._answer_package)
        answer_distribution(context, _stock_pyodide)
        answer_index(context, self._wheel)
        context.route("http://localhost:11434/**", self._answer_model)

    def _answer_package(self, route: Route) -> None:
        path = urlsplit(route.request.url).path.partition(f"@{self._version}/")[2]
        fulfill(route, path, (self._npm / path).read_bytes())

    def _answer_model(self, route: Route) -> None:
        asked = json.loads(route.request.post_data or "{}") | {"model": "explorer"}
        url = self._model_origin + urlsplit(route.request.url).path
        # Ollama wants no key, and this server does.
        headers = route.request.headers | {"authorization": "Bearer any"}
        route.fulfill(response=route.fetch(url=url, headers=headers, post_data=json.dumps(asked)))
