"""The playground as one file, opened from the disk."""

from pathlib import Path

from playwright.sync_api import Page, Request

from tests.browser.playground.playground_page import DESKTOP, SAMPLE_NAME, Playground

# The page answers each request of its worker over a port, with the content.
_NOTE_HANDED_OVER = """
globalThis.handedOver = [];
const { postMessage } = MessagePort.prototype;
MessagePort.prototype.postMessage = function (message, ...rest) {
  if (message instanceof Uint8Array) {
    handedOver.push(message.byteLength);
  }
  return postMessage.call(this, message, ...rest);
};
"""


class SingleFilePage(Playground):
    """A page without an origin and without a server."""

    def __init__(self, page: Page, file: Path) -> None:
        super().__init__(page, file.as_uri())
        self.requests: list[str] = []
        self.first_content = ""
        self.first_handed_over_bytes: list[int] = []
        """The size of each file that the worker has asked for until the first answer."""
        page.add_init_script(_NOTE_HANDED_OVER)
        page.context.on("request", self._note_address)

    def _note_address(self, request: Request) -> None:
        # A Blob's name differs each time; the driver of Firefox reports no requests of a file.
        scheme = request.url.partition(":")[0]
        self.requests.append(scheme if scheme == "blob" else request.url)

    def open(self, fragment: str = "") -> None:
        """Open the file, and make the first call."""
        self.page.goto(f"{self.origin}{fragment}")
        self.wait_until_ready()
        if fragment == "":
            self.first_content = self.call("list_dir", '{"dir_path": "/repo"}')
        self.first_handed_over_bytes = list(self.page.evaluate("handedOver"))

    def start_over(self) -> None:
        """Bring back the tree inside, and empty the timeline: one page is for all stories."""
        self.page.bring_to_front()
        self.page.set_viewport_size(DESKTOP)
        if self.page.locator(".mount-report p").first.text_content() != SAMPLE_NAME:
            self.open_sources().get_by_role("button", name=SAMPLE_NAME).click()
            self.wait_for_tree(SAMPLE_NAME)
        clear = self.page.get_by_role("button", name="Clear", exact=True)
        if clear.count() == 1:
            clear.click()
