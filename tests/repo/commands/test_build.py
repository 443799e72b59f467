"""The build does what a person was told, again only when it must, and fails in one sentence."""

import http.client
import re
import threading
import zipfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from build_steps import commands, freshness
from build_steps.failure import BuildFailed
from build_steps.programs import first_complaint
from build_steps.site.serve import accepted_encoding, open_site_server
from build_steps.wheels.lock import write_lock
from tests.repo.commands.build_refusals import refusal_of


def test_contributing_tells_of_every_command(root: Path) -> None:
    told = re.findall(r"^### `(\w+)`$", (root / "CONTRIBUTING.md").read_text("utf-8"), re.MULTILINE)

    assert sorted(told) == sorted(commands.COMMANDS)


def test_missing_node_is_one_sentence_and_exit_code_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    code = commands.main(["check"])

    assert (code, *capsys.readouterr()) == (
        1,
        "",
        "Node.js was not found: install Node.js 20 or newer and run the command again.\n",
    )


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The root of a repository in which no step has run."""
    monkeypatch.setattr(freshness, "ROOT", tmp_path)
    monkeypatch.setattr(freshness, "_STAMPS", tmp_path / "stamps")
    return tmp_path


def test_a_step_runs_again_when_its_inputs_change_and_not_before(fresh: Path) -> None:
    source, product = fresh / "source", fresh / "product"

    def copy() -> None:
        product.write_bytes(source.read_bytes())

    def was_made() -> bool:
        return freshness.remake_when_stale("copy", inputs=[source], outputs=[product], make=copy)

    source.write_text("one")
    first = [was_made(), was_made()]
    source.touch()
    touched = was_made()
    source.write_text("two")
    changed = [was_made(), was_made()]
    product.unlink()
    removed = [was_made(), was_made()]

    assert (touched, first, changed, removed) == (False, *[[True, False]] * 3)


@pytest.mark.usefixtures("fresh")
def test_a_step_that_failed_runs_again() -> None:
    tried: list[str] = []

    def fail() -> None:
        tried.append("again")
        raise BuildFailed("no")

    for _ in range(2):
        with pytest.raises(BuildFailed, match=r"^no$"):
            freshness.remake_when_stale("failing", inputs=[], outputs=[], make=fail)

    assert tried == ["again", "again"]


@pytest.mark.usefixtures("fresh")
def test_a_light_output_is_made_again_when_a_complete_one_is_asked_for_and_not_the_reverse() -> (
    None
):
    def was_made(*, is_complete: bool) -> bool:
        return freshness.remake_when_stale(
            "site", inputs=[], outputs=[], make=lambda: None, is_complete=is_complete
        )

    asked = [False, False, True, True, False]
    made = [was_made(is_complete=complete) for complete in asked]
    assert made == [True, False, True, False, False]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        pytest.param(
            "npm warn x\nnpm error code E1\nnpm error\nnpm error `npm ci` cannot\nnpm error y\n",
            "`npm ci` cannot",
            id="npm, past its code",
        ),
        pytest.param("Looking\nERROR: No matching\nmore\n", "No matching", id="pip"),
        pytest.param(
            "Downloading\nError: getaddrinfo ENOTFOUND a.example\n    at x\n"
            "Failed to install browsers\nError: Failed to download, caused by\n    at y\n",
            "getaddrinfo ENOTFOUND a.example",
            id="Playwright, before its program's places",
        ),
        pytest.param("one\nthe end\n", "the end", id="any other program, its last line"),
        pytest.param("", "nothing", id="a program that said nothing"),
    ],
)
def test_the_reason_of_a_failed_fetch_is_quoted(words: str, complaint: str) -> None:
    assert first_complaint(words) == complaint


def test_a_wheel_with_an_unpinned_dependency_gets_no_lock(tmp_path: Path) -> None:
    stock = tmp_path / "stock.json"
    stock.write_text(
        '{"info": {"platform": "emscripten_5_0_3", "python": "3.14.2"}, "packages": {}}'
    )
    wheel = tmp_path / "needy-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("needy/__init__.py", "")
        archive.writestr(
            "needy-1.0.dist-info/METADATA",
            "Metadata-Version: 2.1\nName: needy\nVersion: 1.0\n"
            'Requires-Dist: colour; sys_platform == "win32"\n'
            "Requires-Dist: absent>=2\n",
        )

    assert refusal_of(write_lock, tmp_path / "lock.json", wheels=[wheel], pyodide_lock=stock) == (
        "needy-1.0-py3-none-any.whl needs absent>=2, which build_steps/wheels/runtime-wheels.txt "
        "does not pin: pin it there."
    )
    assert not (tmp_path / "lock.json").exists()


@contextmanager
def _serving(folder: Path, port: int) -> Iterator[int]:
    with open_site_server(folder, host="127.0.0.1", port=port) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()


_HEADERS = ("Content-Type", "Content-Length", "Content-Encoding", "Vary", "Cache-Control")


def _ask(
    port: int, path: str, accepted: str = "", method: str = "GET"
) -> tuple[int, dict[str, str], bytes]:
    with closing(http.client.HTTPConnection("127.0.0.1", port)) as connection:
        connection.request(method, path, headers={"Accept-Encoding": accepted})
        answer = connection.getresponse()
        body = answer.read()
    headers = {name: value for name in _HEADERS if (value := answer.getheader(name)) is not None}
    return answer.status, headers, body


def test_server_gives_each_file_the_type_that_a_browser_asks_for(tmp_path: Path) -> None:
    types = {
        "index.html": "text/html; charset=utf-8",
        "main.js": "text/javascript; charset=utf-8",
        "pyodide.mjs": "text/javascript; charset=utf-8",
        "pyodide.asm.wasm": "application/wasm",
        "pyodide-lock.json": "application/json",
        "styles.css": "text/css; charset=utf-8",
        "icon.svg": "image/svg+xml",
        "a.whl": "application/zip",
        "sample.zip": "application/zip",
    }
    for name in types:
        (tmp_path / name).write_bytes(name.encode())

    with _serving(tmp_path, 0) as port:
        answers = {name: _ask(port, f"/{name}") for name in types}
        first_page = _ask(port, "/")

    expected = {
        name: (
            200,
            {
                "Content-Type": kind,
                "Content-Length": str(len(name)),
                "Cache-Control": "no-cache",
            },
            name.encode(),
        )
        for name, kind in types.items()
    }
    assert answers == expected
    assert first_page == expected["index.html"]


_JAVASCRIPT = {"Content-Type": "text/javascript; charset=utf-8", "Cache-Control": "no-cache"}


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_server_sends_the_compressed_sibling_that_the_request_prefers(
    tmp_path: Path, method: str
) -> None:
    (tmp_path / "main.js").write_bytes(b"as it is")
    (tmp_path / "main.js.br").write_bytes(b"brotli")
    (tmp_path / "main.js.gz").write_bytes(b"gzip")

    with _serving(tmp_path, 0) as port:
        answers = {
            accepted: _ask(port, "/main.js?x=/", accepted, method)
            for accepted in ("gzip, br", "gzip", "identity")
        }

    def answer(content: bytes, **encoding: str) -> tuple[int, dict[str, str], bytes]:
        length = {"Content-Length": str(len(content)), "Vary": "Accept-Encoding"}
        named = {name.replace("_", "-"): value for name, value in encoding.items()}
        return 200, {**_JAVASCRIPT, **length, **named}, content if method == "GET" else b""

    assert answers == {
        "gzip, br": answer(b"brotli", Content_Encoding="br"),
        "gzip": answer(b"gzip", Content_Encoding="gzip"),
        "identity": answer(b"as it is"),
    }


def test_server_sends_the_compressed_first_page_for_a_folder(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_bytes(b"as it is")
    (tmp_path / "index.html.br").write_bytes(b"brotli")

    with _serving(tmp_path, 0) as port:
        answer = _ask(port, "/", "br")

    headers = {
        "Content-Type": "text/html; charset=utf-8",
        "Content-Length": "6",
        "Content-Encoding": "br",
        "Vary": "Accept-Encoding",
        "Cache-Control": "no-cache",
    }
    assert answer == (200, headers, b"brotli")


@pytest.mark.parametrize(
    ("accepted", "offered", "taken"),
    [
        pytest.param("gzip, deflate, br, zstd", ["br", "gzip"], "br", id="the best one"),
        pytest.param("br;q=0, gzip", ["br", "gzip"], "gzip", id="not what is refused"),
        pytest.param("gzip", ["br"], None, id="what there is not"),
        pytest.param("br", [], None, id="no sibling"),
        pytest.param(", ,", ["br"], None, id="nothing but commas"),
        pytest.param("", ["br"], None, id="the request says nothing"),
    ],
)
def test_an_encoding_is_one_that_the_request_names(
    accepted: str, offered: list[str], taken: str | None
) -> None:
    assert accepted_encoding(accepted, offered) == taken


def test_server_lets_browsers_keep_files_in_a_folder_named_for_its_content(
    tmp_path: Path,
) -> None:
    for name in ("assets/start.json", "assets/a-0.1-0123abcd/b.json", "assets/a-0123abc/b.json"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("{}")
    paths = (
        "/assets/start.json",
        "/assets/start.json?v=/a-0123abcd/",
        "/assets/a-0.1-0123abcd/b.json",
        "/assets/a-0.1-0123abcd/absent.json",
        "/assets/a-0123abc/b.json",
    )

    with _serving(tmp_path, 0) as port:
        answers = {path: _ask(port, path) for path in paths}

    caching = {
        path: (code, headers["Cache-Control"]) for path, (code, headers, _) in answers.items()
    }
    assert caching == {
        "/assets/start.json": (200, "no-cache"),
        "/assets/start.json?v=/a-0123abcd/": (200, "no-cache"),
        "/assets/a-0.1-0123abcd/b.json": (200, "public, max-age=31536000, immutable"),
        "/assets/a-0.1-0123abcd/absent.json": (404, "no-cache"),
        "/assets/a-0123abc/b.json": (200, "no-cache"),
    }


def test_server_gives_nothing_from_outside_of_its_folder(tmp_path: Path) -> None:
    site = tmp_path / "site"
    site.mkdir()
    (tmp_path / "secret.txt").write_text("secret")

    with _serving(site, 0) as port:
        statuses = [_ask(port, path)[0] for path in ("/../secret.txt", "/%2e%2e/secret.txt")]

    assert statuses == [404, 404]


def test_a_second_server_takes_another_port_if_the_first_is_taken(tmp_path: Path) -> None:
    with _serving(tmp_path, 0) as port, _serving(tmp_path, port) as other:
        assert other not in {0, port}


def test_a_missing_host_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(
        BuildFailed, match=r"^192\.0\.2\.1 is not an address to serve on \(.*\): give "
    ):
        open_site_server(tmp_path, host="192.0.2.1", port=0)
