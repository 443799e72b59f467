"""Every tree packs to one archive that gives it back."""

import io
import json
import os
import stat
import tempfile
import zipfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from treeglass import Workspace
from treeglass.pack import pack_manifest, pack_zip

NAMES = st.text(
    st.characters(codec="utf-8", exclude_characters="/\0"), min_size=1, max_size=12
).filter(lambda name: name not in {".", ".."})
PATHS = st.lists(NAMES, min_size=1, max_size=3).map("/".join)
FILES = st.dictionaries(PATHS, st.binary(max_size=40), max_size=6)
TARGETS = st.lists(st.sampled_from(["..", ".", "", "in", "link", "up"]), max_size=5)


def _write(tree: Path, files: dict[str, bytes]) -> dict[str, bytes]:
    """Write the files that go together on this disk, and return them."""
    written: dict[str, bytes] = {}
    for path, content in files.items():
        file = tree / path
        # A name that is already there as a directory, or a file above it.
        if file.exists() or any((tree / above).is_file() for above in Path(path).parents):
            continue
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
        written[path] = content
    return written


@given(files=FILES, store=st.booleans())
def test_a_zip_gives_back_every_name_and_byte_in_order(
    files: dict[str, bytes], store: bool
) -> None:
    output = io.BytesIO()
    with tempfile.TemporaryDirectory() as directory:
        written = _write(Path(directory), files)
        report = pack_zip(Workspace({"/tree": directory}), "/tree", output, store=store)

    with zipfile.ZipFile(output) as archive:
        held = [(header.filename, archive.read(header)) for header in archive.infolist()]
    assert held == sorted(written.items(), key=lambda file: file[0].encode())
    assert report.content_bytes == sum(map(len, written.values()))


@given(files=FILES)
def test_a_manifest_names_what_a_zip_holds(files: dict[str, bytes]) -> None:
    archive, manifest = io.BytesIO(), io.BytesIO()
    with tempfile.TemporaryDirectory() as directory:
        _write(Path(directory), files)
        workspace = Workspace({"/tree": directory})
        zipped = pack_zip(workspace, "/tree", archive)
        listed = pack_manifest(workspace, "/tree", manifest)

    lines = manifest.getvalue().decode().split("\n")
    entries = [json.loads(line.removesuffix(",")) for line in lines[1:-2]]
    with zipfile.ZipFile(archive) as opened:
        held = [(header.filename, header.file_size) for header in opened.infolist()]
    assert [(entry["path"], entry["size_bytes"]) for entry in entries] == held
    assert zipped == listed


@given(steps=TARGETS, deep=st.booleans())
def test_no_packed_link_leads_out_of_the_directory_it_is_unpacked_into(
    steps: list[str], deep: bool
) -> None:
    target = "/".join(steps)
    with tempfile.TemporaryDirectory() as directory:
        tree = Path(directory, "tree")
        (tree / "in" / "in").mkdir(parents=True)
        (tree / "up").symlink_to("in/in")
        (tree / "in" / "up").symlink_to("..")
        (tree / ("in/in/link" if deep else "link")).symlink_to(target or ".")
        output = io.BytesIO()
        pack_zip(Workspace({"/tree": tree}), "/tree", output)

        # Unpacked under another name: a link through the old name leads nowhere.
        unpacked = Path(os.path.realpath(directory), "unpacked")
        unpacked.mkdir()
        with zipfile.ZipFile(output) as archive:
            for header in archive.infolist():
                place = unpacked / header.filename
                place.parent.mkdir(parents=True, exist_ok=True)
                if stat.S_ISLNK(header.external_attr >> 16):
                    place.symlink_to(archive.read(header).decode())
            led = [os.path.realpath(unpacked / name) for name in archive.namelist()]
        assert [way for way in led if not Path(way).is_relative_to(unpacked)] == []
