"""A page with MCP's client, and frames of other origins in it that serve the tools."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Frame, Page

from build_steps.folders import WEB
from build_steps.web.scripts import bundle_script
from tests.support.browser_support import open_watched_page
from tests.support.served_directory import serve_directory

_LIBRARIES = WEB / "node_modules" / "@modelcontextprotocol"

_PAGE = """\
<!doctype html>
<title>MCP</title>
<link rel="icon" href="data:,">
<script type="importmap">
  {
    "imports": {
      "@modelcontextprotocol/client": "/libraries/client.js",
      "@modelcontextprotocol/server": "/libraries/server.js"
    }
  }
</script>
<body>
"""

_HOST = """\
import { Client } from "@modelcontextprotocol/client";
import { WindowTransport } from "/adapters/window-transport.js";

export { Client, WindowTransport };

/** What a later script of the same story needs. */
export const kept = {};

/** Adds a frame that is still empty. */
export function addFrame() {
  const frame = document.createElement("iframe");
  document.body.append(frame);
  return frame;
}

/** Connects MCP's client with a window; returns it, and what became of the connection. */
export async function connectMcp(peer, origin, channel) {
  const client = new Client({ name: "story", version: "1.0.0" });
  const closed = new Promise((resolve) => {
    client.onclose = () => resolve("closed");
  });
  await client.connect(new WindowTransport({ peer, origin, channel }));
  return { client, closed };
}

/** Adds a frame that posts what it is told and keeps what it receives. */
export async function addPuppet(origin) {
  const frame = addFrame();
  const answer = (key) =>
    new Promise((resolve) => {
      const listener = ({ source, data }) => {
        if (source === frame.contentWindow && data?.[key]) {
          removeEventListener("message", listener);
          resolve(data[key]);
        }
      };
      addEventListener("message", listener);
    });
  const ready = answer("ready");
  frame.src = `${origin}/puppet.html#${location.origin}`;
  await ready;
  return {
    peer: frame.contentWindow,
    /** Makes it post messages; resolves with all that it ever received, when they have arrived. */
    post(...messages) {
      const received = answer("received");
      frame.contentWindow.postMessage({ post: messages }, origin);
      return received;
    },
  };
}

/** What became of a promise, in a form that leaves the page. */
export async function outcome(promise) {
  try {
    return { value: (await promise) ?? null };
  } catch ({ name, code, message }) {
    return { name, code, message };
  }
}
"""

_TOOLS = """\
import { connect } from "/index.js";
import { createMcpServer } from "/adapters/mcp.js";
import { WindowTransport } from "/adapters/window-transport.js";

let shared;

/** The client of the tools, for all stories. */
export function sharedClient() {
  shared ??= connect({ family: "all" });
  return shared;
}

/** Serves the tools to the page around this one, once. */
export async function serve(origin, channel, options) {
  const server = await createMcpServer(await sharedClient(), options);
  await server.connect(new WindowTransport({ peer: window.parent, origin, channel }));
  return server;
}
"""

_PUPPET = """\
<!doctype html>
<title>puppet</title>
<link rel="icon" href="data:,">
<script>
  const host = location.hash.slice(1);
  const received = [];
  addEventListener("message", ({ data }) => {
    if (!("post" in data)) {
      received.push(data);
      return;
    }
    for (const message of data.post) {
      parent.postMessage(message, host);
    }
    parent.postMessage({ received }, host);
  });
  parent.postMessage({ ready: true }, host);
</script>
"""


class McpPages:
    """A page, and frames of another origin in it."""

    def __init__(self, page: Page, host: str, tools: str, stranger: str) -> None:
        self.page = page
        self.host = host
        self.tools = tools
        """The origin of the frame that has the tools."""
        self.stranger = stranger
        """An origin that no transport trusts."""
        self.start_over()

    def start_over(self) -> None:
        """Load the page anew, with a frame whose tools serve no page yet."""
        self.page.goto(f"{self.host}/page.html")
        self.run(
            """
            kept.frame = addFrame();
            kept.frame.src = `${given}/page.html`;
            await new Promise((resolve) => { kept.frame.onload = resolve; });
            """,
            self.tools,
        )

    def run(self, body: str, given: object = None) -> Any:
        """Run the body of an async function of `given` in the page."""
        names = "Client, WindowTransport, kept, addFrame, addPuppet, connectMcp, outcome"
        return self.page.evaluate(
            f"async (given) => {{ const {{ {names} }} = await import('/host.mjs'); {body} }}",
            given,
        )

    @property
    def frame(self) -> Frame:
        """The frame that has the tools."""
        (found,) = (frame for frame in self.page.frames if frame.url.startswith(self.tools))
        return found

    def run_in_frame(self, body: str, given: object = None) -> Any:
        """Run the body of an async function of `given` in the frame that has the tools."""
        return self.frame.evaluate(
            "async (given) => {"
            f"const {{ sharedClient, serve }} = await import('/tools.mjs'); {body} }}",
            given,
        )


@contextmanager
def open_mcp_pages(browser: Browser, package: Path, folder: Path) -> Iterator[McpPages]:
    """Yield the page in a browser.

    Args:
        browser: Where it is opened.
        package: The built npm package, which every origin serves.
        folder: Where the libraries are bundled.
    """
    pages = {
        "/page.html": _PAGE.encode(),
        "/puppet.html": _PUPPET.encode(),
        "/host.mjs": _HOST.encode(),
        "/tools.mjs": _TOOLS.encode(),
    }
    for name in ("client", "server"):
        bundled = folder / f"{name}.js"
        bundle_script(_LIBRARIES / name / "dist" / "index.mjs", bundled)
        pages[f"/libraries/{name}.js"] = bundled.read_bytes()
    with ExitStack() as stack:
        origins = [stack.enter_context(serve_directory(package, pages=pages)) for _ in range(3)]
        page = stack.enter_context(open_watched_page(browser))
        yield McpPages(page, *origins)
