"""The changes as a patch in Git's own format, which `git apply` takes in the folder of a mount.

The patch is valid UTF-8 whatever the files hold: names are quoted as Git quotes them, and a file
that is no text is carried as Git's binary patch.
"""

from __future__ import annotations

import hashlib
import re
from base64 import b85encode
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate

from treeglass.utf8 import raw_bytes
from treeglass.workspace.nodes import Directory, File, Link, Node
from treeglass.workspace.overlay.change_flags import is_text
from treeglass.workspace.overlay.changed_path import ChangedPath, Operation, decide
from treeglass.workspace.overlay.export import is_of_git
from treeglass.workspace.overlay.hunks import Hunk, hunks_of

_OWNER_EXECUTES = 0o100
_NO_OBJECT = b"0" * 40

_quoted_bytes = re.compile(rb'[\x00-\x1f"\\\x7f-\xff]')
_ESCAPES = {7: b"a", 8: b"b", 9: b"t", 10: b"n", 11: b"v", 12: b"f", 13: b"r", 34: b'"', 92: b"\\"}


def patch(
    changed: Iterable[ChangedPath],
    checkpoint: Callable[[], None],
    *,
    strip: str = "/",
) -> bytes:
    """Return the changes as one patch; empty if Git would see none.

    Directories are not in it: Git knows only those that hold files. Of permissions it has only
    whether the owner may execute a file. Git applies no patch with a path in a `.git` folder, so
    these are left out, too. `strip` is that of `decide`.
    """
    kept = [each for each in changed if not is_of_git(each.path)]
    parts: list[bytes] = []
    for operation in decide(kept, strip=strip):
        parts += _file_patch(operation, checkpoint)
    return b"".join(parts)


def _file_patch(operation: Operation, checkpoint: Callable[[], None]) -> Sequence[bytes]:
    before, after = _as_file(operation.before), _as_file(operation.after)
    if before is None and after is None:
        return ()
    hunks = hunks_of(before, after, path=operation.path, checkpoint=checkpoint)
    old_mode, new_mode = _git_mode(operation.before), _git_mode(operation.after)
    is_same = before is not None and after is not None and before.content == after.content
    if operation.name == "modify" and is_same and old_mode == new_mode:
        return ()
    old_name, new_name = operation.origin or operation.path, operation.path
    lines = [b"diff --git %b %b" % (_quoted("a/" + old_name), _quoted("b/" + new_name))]
    if operation.name == "create":
        lines.append(b"new file mode " + new_mode)
    elif operation.name == "delete":
        lines.append(b"deleted file mode " + old_mode)
    elif old_mode != new_mode:
        lines += [b"old mode " + old_mode, b"new mode " + new_mode]
    if operation.origin is not None:
        lines.append(b"similarity index %d%%" % _similarity(before, after, hunks))
        lines += [b"rename from " + _quoted(old_name), b"rename to " + _quoted(new_name)]
    if not is_same:
        is_kept = operation.name in {"modify", "rename"} and old_mode == new_mode
        kept_mode = b" " + new_mode if is_kept else b""
        lines.append(b"index %b..%b%b" % (_object_name(before), _object_name(after), kept_mode))
    if hunks:
        lines.append(b"--- " + (b"/dev/null" if before is None else _headed("a/" + old_name)))
        lines.append(b"+++ " + (b"/dev/null" if after is None else _headed("b/" + new_name)))
    lines.append(b"")
    return [b"\n".join(lines), *_body(before, after, hunks, is_same=is_same)]


def _body(
    before: File | None, after: File | None, hunks: Iterable[Hunk], *, is_same: bool
) -> Iterable[bytes]:
    old = b"" if before is None else before.content
    new = b"" if after is None else after.content
    if not is_same and not (is_text(old) and is_text(new)):
        return (binary_patch(old, new),)
    return (part for hunk in hunks for part in _hunk_lines(hunk))


def _hunk_lines(hunk: Hunk) -> Iterable[bytes]:
    old = _range(hunk.before_start, hunk.before_count)
    yield b"@@ -%b +%b @@\n" % (old, _range(hunk.after_start, hunk.after_count))
    for sign, line in hunk.lines:
        yield sign.encode() + line
        if not line.endswith(b"\n"):
            yield b"\n\\ No newline at end of file\n"


def _range(start: int, count: int) -> bytes:
    return b"%d" % start if count == 1 else b"%d,%d" % (start, count)


def _as_file(node: Node | None) -> File | None:
    """Return what Git stores of a node: of a link, its target; of a directory, nothing."""
    if isinstance(node, Link):
        return File(raw_bytes(node.target))
    return None if node is None or isinstance(node, Directory) else node


def _git_mode(node: Node | None) -> bytes:
    if isinstance(node, Link):
        return b"120000"
    return b"100755" if isinstance(node, File) and node.mode & _OWNER_EXECUTES else b"100644"


def _object_name(file: File | None) -> bytes:
    """Return Git's name of a content; `git apply` finds a base by it if a patch does not fit."""
    if file is None:
        return _NO_OBJECT
    digest = hashlib.sha1(b"blob %d\0" % len(file.content), usedforsecurity=False)
    digest.update(file.content)
    return digest.hexdigest().encode()


def _similarity(before: File | None, after: File | None, hunks: Iterable[Hunk]) -> int:
    """Return how many of a hundred bytes stay; 100 only if all do."""
    old = b"" if before is None else before.content
    new = b"" if after is None else after.content
    if old == new:
        return 100
    if not (is_text(old) and is_text(new)):
        return 0
    gone = sum(len(line) for hunk in hunks for sign, line in hunk.lines if sign == "-")
    return min(99, (len(old) - gone) * 100 // max(len(old), len(new)))


def _headed(name: str) -> bytes:
    """Return a name for a line of a file's head; a tab ends one with a space, as Git writes it."""
    quoted = _quoted(name)
    return quoted + b"\t" if b" " in quoted else quoted


def _quoted(name: str) -> bytes:
    """Return a name as Git writes it, in quotes and escaped if it has unusual bytes."""
    raw = raw_bytes(name)
    # Git writes a directory whose name ends in a blank without quotes, and then misreads it.
    if not _quoted_bytes.search(raw) and b" /" not in raw:
        return raw
    return b'"%b"' % _quoted_bytes.sub(_escaped, raw)


def _escaped(found: re.Match[bytes]) -> bytes:
    (byte,) = found[0]
    return b"\\" + (_ESCAPES.get(byte) or b"%03o" % byte)


_LINE_BYTES = 52
_LINE_LETTERS = _LINE_BYTES * 5 // 4
_LENGTHS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

_ZLIB_HEAD = b"\x78\x01"
_MOST_STORED = 0xFFFF
_LARGEST_PRIME = 65521
"""Below 2**16: the modulus of Adler-32."""
_SUMMED_BYTES = 1 << 16


def binary_patch(before: bytes, after: bytes) -> bytes:
    """Return the part of a file's patch that turns one content into the other, and back.

    It has both contents whole, in letters, each as a stream of zlib.
    """
    return b"".join([b"GIT binary patch\n", *_literal(after), *_literal(before)])


def _literal(content: bytes) -> Iterator[bytes]:
    yield b"literal %d\n" % len(content)
    stream = zlib_stream(content)
    # A full line is whole groups of four bytes, so all lines can be encoded at once.
    letters = b85encode(stream, pad=True)
    for number, start in enumerate(range(0, len(stream), _LINE_BYTES)):
        length = min(_LINE_BYTES, len(stream) - start)
        at = number * _LINE_LETTERS
        yield b"%c%b\n" % (_LENGTHS[length - 1], letters[at : at + _LINE_LETTERS])
    yield b"\n"


def zlib_stream(content: bytes) -> bytes:
    """Return a stream of zlib with this content, stored in blocks (RFC 1950, RFC 1951).

    Not compressed, so the same content gives the same bytes on every system, and without zlib.
    """
    parts = [_ZLIB_HEAD]
    for start in range(0, max(len(content), 1), _MOST_STORED):
        block = content[start : start + _MOST_STORED]
        is_last = start + _MOST_STORED >= len(content)
        size = len(block).to_bytes(2, "little")
        inverse = (len(block) ^ _MOST_STORED).to_bytes(2, "little")
        parts += [b"\x01" if is_last else b"\x00", size, inverse, block]
    parts.append(_adler32(content).to_bytes(4, "big"))
    return b"".join(parts)


def _adler32(content: bytes) -> int:
    low, high = 1, 0
    for start in range(0, len(content), _SUMMED_BYTES):
        sums = list(accumulate(content[start : start + _SUMMED_BYTES], initial=low))
        low, high = sums[-1] % _LARGEST_PRIME, (high + sum(sums) - sums[0]) % _LARGEST_PRIME
    return high << 16 | low
