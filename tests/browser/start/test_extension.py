"""The example of a browser extension, loaded into Chromium."""

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.example_commands import copy_examples, documented_commands
from tests.support.browser_support import Browsers
from tests.support.shell_support import shell

pytestmark = pytest.mark.network


_LISTING = "Absolute path: /repo\nREADME.md\nsrc/\n  app.py"


@pytest.fixture(scope="module")
def extension(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example, made ready by its documented command."""
    checkout = tmp_path_factory.mktemp("checkout")
    copy_examples(dist, checkout)
    folder = checkout / "web" / "examples" / "browser-extension"
    command = documented_commands()[folder.name]
    environment = os.environ | {"npm_config_prefer_offline": "true", "npm_config_audit": "false"}
    subprocess.run([shell(), "-c", command], cwd=folder, env=environment, check=True)
    return folder


@contextmanager
def _panel(browsers: Browsers, extension: Path, profile: Path) -> Iterator[Page]:
    """Open the page of the side panel in a tab; a test cannot open the panel itself."""
    with browsers.launch_with_extension(extension, profile) as context:
        page = context.new_page()
        page.goto(f"{_origin(context)}/panel.html")
        yield page


def _origin(context: BrowserContext) -> str:
    worker = (context.service_workers or [context.wait_for_event("serviceworker")])[0]
    return worker.url.removesuffix("/background.js")


def test_the_panel_and_the_offscreen_document_answer_calls(
    browsers: Browsers, extension: Path, tmp_path: Path
) -> None:
    with _panel(browsers, extension, tmp_path) as page:
        expect(page.get_by_role("status")).to_have_text("Ready.")
        page.get_by_label("Tool").select_option("list_dir")
        page.get_by_role("button", name="Call in this panel").click()
        expect(page.get_by_role("status")).to_have_text(_LISTING)
        page.get_by_label("Tool").select_option("read_file")
        page.get_by_label("Arguments").fill('{ "file_path": "/repo/README.md" }')
        page.get_by_role("button", name="Call in the offscreen document").click()
        expect(page.get_by_role("status")).to_have_text("L1: # Hi")


def test_the_default_policy_of_extensions_ends_the_start_and_names_what_to_allow(
    browsers: Browsers, extension: Path, tmp_path: Path
) -> None:
    file = extension / "manifest.json"
    manifest = json.loads(file.read_text("utf-8"))
    allowed = manifest.pop("content_security_policy")
    file.write_text(json.dumps(manifest), "utf-8")
    try:
        with _panel(browsers, extension, tmp_path) as page:
            status = page.get_by_role("status")
            expect(status).to_contain_text("allow 'wasm-unsafe-eval'")
    finally:
        restored = manifest | {"content_security_policy": allowed}
        file.write_text(json.dumps(restored), "utf-8")
