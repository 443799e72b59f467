"""The first search of an archive that a visitor chose: few reads of it, by code that is there."""

import io
import zipfile

from playwright.sync_api import Request

from tests.browser.package_page import PackagePage

_FILE_COUNT = 400
_MAX_READS = 5
"""The end of the archive and its table of contents; the whole archive, for the search."""

_COUNT_READS = """() => {
    const { prototype } = FileReaderSync;
    const { readAsArrayBuffer } = prototype;
    globalThis.blobReads = 0;
    prototype.readAsArrayBuffer = function (blob) {
        globalThis.blobReads += 1;
        return readAsArrayBuffer.call(this, blob);
    };
}"""

_CONNECT = "globalThis.searching = await connect();"

_SEARCH = """
    const file = new File([bytesOf(given)], "tree.zip");
    await searching.mount("/repo", { archive: file });
    const args = { pattern: "needle", path: "/repo" };
    const { content } = await searching.callTool("grep_files", args);
    return content;
"""

_MOUNT = """
    await searching.mount("/repo", { archive: new File([bytesOf(given)], "tree.zip") });
"""

_LIST = 'await searching.listEntries("/repo");'

_CALL = 'await searching.callTool("list_dir", { dir_path: "/repo" });'

_CLOSE = "await searching.close();"


def _archive() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(_FILE_COUNT):
            text = f"line of {number}\n" * 50 + ("needle\n" if number == _FILE_COUNT - 1 else "")
            archive.writestr(f"d{number % 7}/f{number}.txt", text)
    return packed.getvalue()


def test_a_first_search_reads_a_chosen_zip_in_a_few_pieces(
    package_page: PackagePage,
) -> None:
    page = package_page
    started = page.note_workers()
    page.run(_CONNECT)
    try:
        (worker,) = started
        worker.evaluate(_COUNT_READS)

        found = page.run(_SEARCH, list(_archive()))

        assert found == f"/repo/d{(_FILE_COUNT - 1) % 7}/f{_FILE_COUNT - 1}.txt"
        assert 1 <= worker.evaluate("blobReads") <= _MAX_READS
    finally:
        page.run(_CLOSE)


def test_a_mount_of_an_archive_fetches_what_a_search_imports_and_the_first_call_the_rest(
    package_page: PackagePage,
) -> None:
    # Only Chromium tells of what a worker requests.
    page = package_page
    # Workers of other stories may still fetch their late code.
    page.page.goto(f"{page.origin}/blank.html")
    asked: list[str] = []

    def note(request: Request) -> None:
        asked.append(request.url.rpartition("/")[2].partition("-")[0])

    page.run(_CONNECT)
    page.page.on("request", note)
    try:
        # The listing is made by a module of the wheel, so it answers once that is in its place.
        page.run(_MOUNT + _LIST, list(_archive()))
        before = list(asked)
        with page.page.expect_request("**/pydantic_core.late.wasm"):
            page.run(_CALL)
    finally:
        page.page.remove_listener("request", note)
        page.run(_CLOSE)

    late = ["pyodide.asm.late.wasm", "pydantic_core.late.wasm"]
    assert (before, asked) == (["treeglass"], ["treeglass", *late])
