"""The example for Cloudflare Workers, bundled as it is deployed, and served by workerd itself."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from build_steps.programs import find_program
from tests.edge.example_servers import ServingProcess
from tests.support.hosts.workerd_support import (
    COMPATIBILITY_DATE,
    installed_example,
    workerd_program,
    wrangler_environment,
)
from tests.support.programs import printed_by

_BUNDLE_SECONDS = 120

_KINDS = {".js": "esModule", ".wasm": "wasm", ".bin": "data"}

_CONFIG = f"""\
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  v8Flags = [V8_FLAGS],
  services = [(name = "main", worker = .worker)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [
    MODULES
  ],
  compatibilityDate = "{COMPATIBILITY_DATE}",
);
"""


def bundle_worker(folder: Path, *v8_flags: str) -> Path:
    """Bundle the Worker as wrangler deploys it, and return a configuration that runs it.

    In a folder of its own, since bundling makes the archive that is a part of the Worker, which
    others may be reading: `bundled_tree` returns it.
    """
    installed = installed_example()
    example = folder / "example"
    made = shutil.ignore_patterns("node_modules", ".wrangler", "tree.bin")
    shutil.copytree(installed, example, ignore=made)
    (example / "node_modules").symlink_to(installed / "node_modules", target_is_directory=True)
    output = folder / "output"
    deploying = (find_program("npx"), "wrangler", "deploy", "--dry-run", "--outdir", output)
    printed_by(*deploying, folder=example, env=wrangler_environment(), timeout=_BUNDLE_SECONDS)
    bundled = sorted(path.name for path in output.iterdir() if path.suffix in _KINDS)
    entry = "worker.js"
    modules = [
        f'(name = "{name}", {_KINDS[name[name.rindex(".") :]]} = embed "{name}")'
        for name in [entry, *(name for name in bundled if name != entry)]
    ]
    config = output / "config.capnp"
    written = _CONFIG.replace("MODULES", ",\n    ".join(modules))
    written = written.replace("V8_FLAGS", ", ".join(f'"{flag}"' for flag in v8_flags))
    config.write_text(written, "utf-8")
    return config


def bundled_tree(folder: Path) -> Path:
    """Return the archive that is a part of the Worker that was bundled into a folder."""
    return folder / "example" / "tree.bin"


@contextmanager
def serving_worker(config: Path) -> Iterator[ServingProcess]:
    """Run workerd until the context ends; yields when it listens."""
    with subprocess.Popen(
        [workerd_program(), "serve", "--control-fd=1", config],
        stdout=subprocess.PIPE,
        encoding="utf-8",
    ) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert re.search(r'"port"', line), line
            yield ServingProcess(process, f"http://127.0.0.1:{json.loads(line)['port']}")
        finally:
            process.kill()
