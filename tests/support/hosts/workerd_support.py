"""workerd on this machine: the example for Cloudflare Workers, installed, and its runtime."""

import json
import os
import re
import shutil
import socket
import struct
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from functools import cache
from http import HTTPStatus
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from build_steps.folders import BUILD, ROOT, tree_files
from build_steps.freshness import content_fingerprint, only_process, sha256_of
from build_steps.programs import find_program, run_quietly
from tests.support.hosts.newer_node import folders_of_newer_node
from tests.support.hosts.process_memory import resident_bytes
from tests.support.programs import printed_by

PACKAGE = ROOT / "dist" / "npm"
EXAMPLE = ROOT / "web" / "examples" / "cloudflare-worker"
COMPATIBILITY_DATE = "2026-11-01"
"""As in the example's wrangler.jsonc."""

_PATIENCE_S = 120

_CHECKOUT = BUILD / "workerd-checkout"
_INSTALLED = _CHECKOUT / "web" / "examples" / "cloudflare-worker"
# The oldest Node that wrangler's package.json allows.
_WRANGLER_NEEDS = (22, 12)


@cache
def installed_example() -> Path:
    """Return the example's folder in a checkout of its own, with what `npm install` puts there.

    Done once for what was built, whichever of several processes comes first.

    Raises:
        BuildFailed: npm could not install it.
        FileNotFoundError: The package is not built.
    """
    if not (PACKAGE / "workerd.js").exists():
        message = "dist/npm is not built; run `python build.py bundle` first"
        raise FileNotFoundError(message)
    with only_process("workerd-checkout"):
        _install()
    return _INSTALLED


def _install() -> None:
    # The registry's packages are kept from one build to the next: they are most of what is copied.
    wanted = sha256_of(EXAMPLE / "package.json")
    if not _is_stamped("registry", wanted):
        shutil.rmtree(_CHECKOUT, ignore_errors=True)
        _copy_example()
        (_CHECKOUT / "dist").symlink_to(PACKAGE.parent, target_is_directory=True)
        run_quietly(
            [find_program("npm"), "install", "--prefer-offline", "--no-audit", "--no-fund"],
            folder=_INSTALLED,
            log_name="npm-install-cloudflare-worker",
            otherwise="`npm install` of web/examples/cloudflare-worker failed: "
            "check the network connection and run again.",
        )
        _stamp("registry", wanted)
    built = content_fingerprint(tree_files(PACKAGE), below=PACKAGE)
    built += content_fingerprint(_sources_of_example())
    if not _is_stamped("built", built):
        _copy_example()
        shutil.rmtree(_INSTALLED / "node_modules" / "treeglass")
        shutil.copytree(PACKAGE, _INSTALLED / "node_modules" / "treeglass")
        _stamp("built", built)


def _is_stamped(name: str, fingerprint: str) -> bool:
    stamp = _INSTALLED / "node_modules" / f".{name}.sha256"
    return stamp.is_file() and stamp.read_text("utf-8") == fingerprint


def _stamp(name: str, fingerprint: str) -> None:
    (_INSTALLED / "node_modules" / f".{name}.sha256").write_text(fingerprint, "utf-8")


_MADE = ("node_modules", ".wrangler", "tree.bin", "package-lock.json")


def _sources_of_example() -> list[Path]:
    return [path for path in tree_files(EXAMPLE) if not {*path.parts} & {*_MADE}]


def _copy_example() -> None:
    unwanted = shutil.ignore_patterns(*_MADE)
    shutil.copytree(EXAMPLE, _INSTALLED, ignore=unwanted, dirs_exist_ok=True)


@cache
def workerd_program() -> Path:
    """Return the workerd that the example's wrangler brings."""
    return installed_example() / "node_modules" / ".bin" / "workerd"


def workerd_version() -> str:
    """Return workerd's name and version, such as `workerd 2026-11-17`."""
    return printed_by(workerd_program(), "--version").strip()


def wrangler_environment() -> dict[str, str]:
    """Return the environment in which `npx wrangler` runs here, without any request."""
    silence = {
        "WRANGLER_SEND_METRICS": "false",
        "WRANGLER_HIDE_BANNER": "true",
        "CLOUDFLARE_CF_FETCH_ENABLED": "false",
        "CI": "true",
        "NO_COLOR": "1",
        "FORCE_COLOR": "0",
    }
    folders = [*folders_of_newer_node(_WRANGLER_NEEDS), os.environ["PATH"]]
    return os.environ | silence | {"PATH": os.pathsep.join(folders)}


class RunningWorkerd:
    """A workerd with one Worker in it."""

    def __init__(self, process: subprocess.Popen[str], port: int, started_s: float) -> None:
        self.process = process
        self.started_s = started_s
        """When the process was made, by `time.perf_counter`."""
        self.port = port

    @property
    def origin(self) -> str:
        """The address of the Worker."""
        return f"http://127.0.0.1:{self.port}"

    def connect(self) -> HTTPConnection:
        """Return a connection to the Worker."""
        return HTTPConnection("127.0.0.1", self.port, timeout=_PATIENCE_S)

    def ask_and_leave(
        self, path: str, job: object, *, after: Callable[[], object] = lambda: None
    ) -> None:
        """POST JSON, and break the connection off without waiting for an answer, `after` this."""
        with closing(self.connect()) as visitor:
            visitor.request("POST", path, json.dumps(job))
            after()
            assert visitor.sock is not None
            # To close it in order would only say that nothing more is sent.
            visitor.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    def ask(self, path: str, job: object = None) -> Any:
        """Return the Worker's answer, as JSON, to a POST of JSON, or to a GET without a job."""
        with closing(self.connect()) as connection:
            body = None if job is None else json.dumps(job)
            connection.request("GET" if job is None else "POST", path, body)
            answer = connection.getresponse()
            said = answer.read().decode()
        assert answer.status == HTTPStatus.OK, said
        return json.loads(said)

    @property
    def resident_bytes(self) -> int:
        """How much of the process is in memory; the test skips if the system does not tell."""
        told = resident_bytes(self.process.pid)
        if told is None:
            pytest.skip("this system does not tell the memory of a process")
        return told


@contextmanager
def serving(
    folder: Path, modules: Mapping[str, str], *, has_package: bool = True
) -> Iterator[RunningWorkerd]:
    """Run workerd with a Worker until the context ends; fail if it wrote to standard error.

    Args:
        folder: Takes the Worker's files.
        modules: The Worker's own modules by name, the first one its entry.
        has_package: True if the package is beside them, in `treeglass/`.
    """
    embedded = [_module(folder, name, text.encode()) for name, text in modules.items()]
    if has_package:
        embedded += [
            _module(folder, f"treeglass/{name}", (PACKAGE / name).read_bytes())
            for name in package_modules()
        ]
    config = folder / "config.capnp"
    config.write_text(_CONFIG.replace("MODULES", ",\n    ".join(embedded)), "utf-8")
    command = [str(workerd_program()), "serve", "--control-fd=1", str(config)]
    started_s = time.perf_counter()
    with (
        (folder / "stderr.txt").open("w+b") as complaints,
        subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=complaints, encoding="utf-8"
        ) as process,
    ):
        assert process.stdout is not None
        try:
            line = process.stdout.readline()
            complaints.seek(0)
            assert line, complaints.read().decode()
            yield RunningWorkerd(process, json.loads(line)["port"], started_s)
            complaints.seek(0)
            assert complaints.read().decode() == ""
        finally:
            process.kill()


def package_modules() -> list[str]:
    """Return the files of the package that its Worker imports, and itself."""
    bundle = (PACKAGE / "workerd.js").read_text("utf-8")
    imported = re.findall(r'from ?"\./([^"]+\.(?:wasm|bin|js))"', bundle)
    return ["workerd.js", *dict.fromkeys(imported)]


_KINDS = {".js": "esModule", ".mjs": "esModule", ".wasm": "wasm", ".bin": "data"}


def _module(folder: Path, name: str, content: bytes) -> str:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return f'(name = "{name}", {_KINDS[path.suffix]} = embed "{name}")'


# The network is the loopback alone, which workerd takes for a private one.
_CONFIG = f"""\
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "internet", network = (allow = ["private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [
    MODULES
  ],
  compatibilityDate = "{COMPATIBILITY_DATE}",
);
"""
