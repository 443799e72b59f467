import zlib

import pytest

from treeglass.workspace.overlay.patch import binary_patch, zlib_stream


@pytest.mark.parametrize("size", [0, 1, 65_535, 65_536, 200_000])
def test_zlib_reads_a_stream(size: int) -> None:
    content = bytes(number * 7 % 251 for number in range(size))

    reader = zlib.decompressobj()

    assert reader.decompress(zlib_stream(content)) == content
    assert (reader.eof, reader.unused_data) == (True, b"")


def test_the_largest_bytes_do_not_overflow_the_check() -> None:
    content = b"\xff" * 300_000

    assert zlib.decompress(zlib_stream(content)) == content


def test_lines_hold_52_bytes_and_begin_with_their_length() -> None:
    lines = binary_patch(b"", bytes(100)).split(b"\n")

    assert lines[:2] == [b"GIT binary patch", b"literal 100"]
    assert [(line[:1], len(line)) for line in lines[2:5]] == [(b"z", 66), (b"z", 66), (b"G", 11)]
    assert lines[5:] == [b"", b"literal 0", b"KcmV+b0RR6000031", b"", b""]
