import bz2
import lzma
import subprocess
import sys
from collections.abc import Callable

import pytest

from treeglass.bridge.decompression import (
    MAX_INFLATED_BYTES,
    MAX_OPEN_STREAMS,
    MAX_XZ_MEMORY_BYTES,
    DecompressionStreams,
    Format,
    Inflated,
)
from treeglass.errors import SourceUnreadable

TEXT = b"".join(b"%d line\n" % (number * 7919) for number in range(20_000))

FORMATS = pytest.mark.parametrize(
    ("compression", "compress"), [("bzip2", bz2.compress), ("xz", lzma.compress)]
)


def inflate(
    compression: Format, compressed: bytes, *, piece_bytes: int = 1000, max_bytes: int = 4096
) -> tuple[bytes, bool]:
    """Inflate as a page does: a piece is given, and all that comes of it is taken."""
    streams = DecompressionStreams()
    stream = streams.open(compression)
    inflated = []
    is_complete = False
    for start in range(0, len(compressed), piece_bytes):
        given: bytes | None = compressed[start : start + piece_bytes]
        needs_input = False
        while not needs_input:
            out = streams.decompress(stream, given, max_bytes)
            assert len(out.inflated) <= max_bytes
            assert out.inflated or out.needs_input
            inflated.append(out.inflated)
            needs_input, is_complete, given = out.needs_input, out.is_complete, None
    streams.close(stream)
    return b"".join(inflated), is_complete


@FORMATS
@pytest.mark.parametrize("piece_bytes", [1, 1000, 10**7])
def test_a_stream_is_inflated_whole_whatever_the_size_of_its_pieces(
    compression: Format, compress: Callable[[bytes], bytes], piece_bytes: int
) -> None:
    text = TEXT[:3000]
    assert inflate(compression, compress(text), piece_bytes=piece_bytes) == (text, True)


@FORMATS
def test_several_streams_one_after_the_other_are_one(
    compression: Format, compress: Callable[[bytes], bytes]
) -> None:
    parts = [compress(TEXT), compress(b""), compress(b"end")]
    assert inflate(compression, b"".join(parts)) == (TEXT + b"end", True)


@pytest.mark.parametrize("piece_bytes", [1, 1000])
def test_zeros_between_and_after_xz_streams_are_padding(piece_bytes: int) -> None:
    compressed = lzma.compress(b"one") + bytes(4) + lzma.compress(b"two") + bytes(8)
    assert inflate("xz", compressed, piece_bytes=piece_bytes) == (b"onetwo", True)


def test_xz_padding_that_is_not_a_multiple_of_four_does_not_end_a_stream() -> None:
    assert inflate("xz", lzma.compress(b"one") + bytes(3)) == (b"one", False)
    with pytest.raises(SourceUnreadable) as caught:
        inflate("xz", lzma.compress(b"one") + bytes(3) + lzma.compress(b"two"))
    assert str(caught.value) == "The xz archive is broken; make it again and retry."


@FORMATS
def test_a_stream_that_was_cut_short_is_not_complete(
    compression: Format, compress: Callable[[bytes], bytes]
) -> None:
    assert inflate(compression, compress(b"text")[:-1])[1] is False


@FORMATS
@pytest.mark.parametrize("place", ["in the middle", "behind the end"])
def test_broken_bytes_are_told_of_in_one_sentence(
    compression: Format, compress: Callable[[bytes], bytes], place: str
) -> None:
    compressed = bytearray(compress(TEXT))
    if place == "in the middle":
        compressed[len(compressed) // 2] ^= 16
    else:
        compressed += b"this is no stream"
    with pytest.raises(SourceUnreadable) as caught:
        inflate(compression, bytes(compressed))
    assert str(caught.value) == f"The {compression} archive is broken; make it again and retry."


def test_the_memory_of_xz_allows_its_highest_level_and_not_every_dictionary() -> None:
    assert inflate("xz", lzma.compress(b"text", preset=9)) == (b"text", True)
    greedy = {"id": lzma.FILTER_LZMA2, "dict_size": 2 * MAX_XZ_MEMORY_BYTES, "preset": 0}
    with pytest.raises(SourceUnreadable) as caught:
        inflate("xz", lzma.compress(b"text", filters=[greedy]))
    assert str(caught.value) == (
        "The xz archive needs more than 83886080 bytes of memory to be unpacked; "
        "pack it again with a smaller dictionary, for example by 'xz -9'."
    )


@FORMATS
def test_no_more_is_inflated_at_once_than_the_ceiling(
    compression: Format, compress: Callable[[bytes], bytes]
) -> None:
    streams = DecompressionStreams()
    stream = streams.open(compression)
    out = streams.decompress(stream, compress(bytes(3 * MAX_INFLATED_BYTES)), 10**9)
    assert out == Inflated(bytes(MAX_INFLATED_BYTES), needs_input=False, is_complete=False)


def test_the_number_of_open_streams_is_bounded_and_a_closed_one_makes_room() -> None:
    streams = DecompressionStreams()
    numbers = [streams.open("xz") for _ in range(MAX_OPEN_STREAMS)]
    with pytest.raises(SourceUnreadable) as caught:
        streams.open("bzip2")
    assert str(caught.value) == (
        "8 compressed archives are being read already; wait for one of them, and try again."
    )

    streams.close(numbers[0])
    streams.close(numbers[0])
    assert streams.open("bzip2") == numbers[-1] + 1
    with pytest.raises(SourceUnreadable) as caught:
        streams.decompress(numbers[0], b"", 1)
    assert str(caught.value) == "Compressed stream 1 is not open; mount it again."


def test_treeglass_is_imported_without_any_decompressor() -> None:
    script = (
        "import sys\n"
        "sys.modules['bz2'] = sys.modules['lzma'] = None\n"
        "import treeglass.bridge\n"
        "print('imported')"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout == "imported\n"
