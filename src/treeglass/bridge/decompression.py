"""Decompress bzip2 and xz piece by piece, which browsers cannot do.

The only module of a page that imports `bz2` and `lzma`, when the first stream is opened.
It never holds more than the piece it was given, the piece it returns, and the
state that the format needs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from treeglass.errors import SourceUnreadable

Format = Literal["bzip2", "xz"]

MAX_OPEN_STREAMS = 8
"""Streams that one client may have open at a time; a mount needs one."""

MAX_COMPRESSED_BYTES = 64 * 1024
"""Most compressed bytes that are taken at once; this also bounds the streams in one piece."""

MAX_INFLATED_BYTES = 4 * 1024 * 1024
"""Most bytes that are inflated at once."""

MAX_XZ_MEMORY_BYTES = 80 * 1024 * 1024
"""Most memory for an xz stream: `xz -9` needs 65 MiB, and a header may demand any amount."""

_XZ_PADDING_UNIT_BYTES = 4


@dataclass(frozen=True)
class Inflated:
    """A piece of inflated bytes, and the state of its stream."""

    inflated: bytes
    """At most as many bytes as were asked for; empty only if input is needed."""
    needs_input: bool
    """The stream needs more input before it gives more bytes."""
    is_complete: bool
    """The input may end here."""


class DecompressionStreams:
    """The compressed streams of one client, by number."""

    def __init__(self) -> None:
        self._open: dict[int, _Stream] = {}
        self._opened = 0

    def open(self, compression: Format) -> int:
        """Return the number of a new stream, which the caller closes; few may be open at once."""
        if len(self._open) >= MAX_OPEN_STREAMS:
            raise SourceUnreadable(
                f"{MAX_OPEN_STREAMS} compressed archives are being read already; "
                "wait for one of them, and try again."
            )
        self._opened += 1
        self._open[self._opened] = _Stream(compression)
        return self._opened

    def decompress(self, stream: int, compressed: bytes | None, max_bytes: int) -> Inflated:
        """Return the next inflated bytes of a stream, at most `max_bytes` or `MAX_INFLATED_BYTES`.

        Takes at most `MAX_COMPRESSED_BYTES`, once the ones before are used up, and `None` to go on
        with those. Several streams one after the other, as parallel compressors write them, count
        as one. A stream that is broken or not open is `SourceUnreadable`.
        """
        if stream not in self._open:
            raise SourceUnreadable(f"Compressed stream {stream} is not open; mount it again.")
        return self._open[stream].inflate(compressed or b"", min(max_bytes, MAX_INFLATED_BYTES))

    def close(self, stream: int) -> None:
        """Free a stream; does nothing if it is closed already."""
        self._open.pop(stream, None)


class _Decompressor(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int = -1) -> bytes: ...


class _Stream:
    def __init__(self, compression: Format) -> None:
        self._format = compression
        self._make = _bzip2 if compression == "bzip2" else _xz
        self._current: _Decompressor | None = self._make()
        self._waiting = b""
        self._padding_bytes = 0

    def inflate(self, compressed: bytes, max_bytes: int) -> Inflated:
        self._waiting += compressed
        inflated = b""
        while not inflated and (current := self._decompressor()) is not None:
            given, self._waiting = self._waiting, b""
            inflated = self._decompressed(current, given, max_bytes)
            if current.eof:
                self._waiting, self._current = current.unused_data, None
                self._skip_padding()
            elif current.needs_input:
                break
        current = self._current
        if current is not None:
            return Inflated(inflated, current.needs_input, is_complete=False)
        is_whole = self._padding_bytes % _XZ_PADDING_UNIT_BYTES == 0
        return Inflated(inflated, not self._waiting, is_complete=not self._waiting and is_whole)

    def _decompressor(self) -> _Decompressor | None:
        """Return the decompressor of the next bytes; after the end of a stream, a new one."""
        if self._current is None:
            self._skip_padding()
            if self._waiting:
                if self._padding_bytes % _XZ_PADDING_UNIT_BYTES:
                    raise _broken(self._format)
                self._padding_bytes = 0
                self._current = self._make()
        return self._current

    def _skip_padding(self) -> None:
        if self._format == "xz":
            padded = len(self._waiting)
            self._waiting = self._waiting.lstrip(b"\0")
            self._padding_bytes += padded - len(self._waiting)

    def _decompressed(self, current: _Decompressor, given: bytes, max_bytes: int) -> bytes:
        try:
            return current.decompress(given, max_bytes)
        except MemoryError as error:
            raise _too_large(self._format) from error
        except Exception as error:
            # `OSError` or `LZMAError`, which cannot be named without importing it. Only
            # its text tells that the memory limit was met.
            if "Memory usage limit" in str(error):
                raise _too_large(self._format) from error
            raise _broken(self._format) from error


def _bzip2() -> _Decompressor:
    from bz2 import BZ2Decompressor  # noqa: PLC0415  # rarely needed

    return BZ2Decompressor()


def _xz() -> _Decompressor:
    from lzma import FORMAT_XZ, LZMADecompressor  # noqa: PLC0415  # rarely needed

    return LZMADecompressor(format=FORMAT_XZ, memlimit=MAX_XZ_MEMORY_BYTES)


def _broken(compression: Format) -> SourceUnreadable:
    return SourceUnreadable(f"The {compression} archive is broken; make it again and retry.")


def _too_large(compression: Format) -> SourceUnreadable:
    return SourceUnreadable(
        f"The {compression} archive needs more than {MAX_XZ_MEMORY_BYTES} bytes of memory to be "
        "unpacked; pack it again with a smaller dictionary, for example by 'xz -9'."
    )
