"""Addresses in a page, resolved to files as a browser resolves them."""

from __future__ import annotations

import os
import re
from pathlib import Path
from urllib.parse import unquote

from treeglass.authoring.demo import DemoInvalid, NotRecordable

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_IGNORED = re.compile(r"[\t\n\r]")
_ENDS = "".join(map(chr, range(0x21)))
"""Controls and the blank, which a browser takes off both ends of an address."""


def file_at(address: str, folder: Path, root: Path) -> Path:
    """Return the file that an address means, whether it exists or not.

    It is relative to the page's folder, or with a leading slash to the root, which the site serves
    as `/`; percent-encoded, perhaps with a query and a fragment, which name no other file.

    Raises:
        NotRecordable: It is an address of another host, which is not fetched.
        DemoInvalid: It leads out of the root, by itself or through a link, or cannot name a file.
    """
    plain = _IGNORED.sub("", address.strip(_ENDS))
    if is_elsewhere(plain):
        raise NotRecordable(
            f"{address!r} is not a file of the site, and nothing is fetched to record an answer"
        )
    path = re.split(r"[?#]", plain.replace("\\", "/"), maxsplit=1)[0]
    if not path or path.endswith("/"):
        raise DemoInvalid(f"{address!r} does not name a file; name an archive or a manifest")
    names = [] if path.startswith("/") else list(folder.resolve().relative_to(root.resolve()).parts)
    for part in path.split("/"):
        name = _unquoted(part, address)
        if name == "..":
            if not names:
                raise DemoInvalid(
                    f"{address!r} leads out of the site's root; move the tree into it, or name a "
                    "folder above both"
                )
            names.pop()
        elif name not in {"", "."}:
            names.append(name)
    file = root.joinpath(*names)
    # Not `resolve`, which raises where links go in circles.
    if not Path(os.path.realpath(file)).is_relative_to(root.resolve()):
        raise DemoInvalid(
            f"{address!r} leads out of the site's root through a link; replace the link by the tree"
        )
    return file


def is_directory(path: Path) -> bool:
    """Tell whether a directory exists; False for a name that no file system takes."""
    return os.path.isdir(path)  # noqa: PTH112  # `Path.is_dir` raises for such a name


def is_file(path: Path) -> bool:
    """Tell whether a file exists; False for a name that no file system takes."""
    return os.path.isfile(path)  # noqa: PTH113  # as above


def is_elsewhere(address: str) -> bool:
    """Tell whether an address has a scheme or a host."""
    return _SCHEME.match(address) is not None or address.replace("\\", "/").startswith("//")


def _unquoted(part: str, address: str) -> str:
    try:
        name = unquote(part, errors="strict")
    except UnicodeDecodeError:
        raise DemoInvalid(
            f"{address!r} is not percent-encoded UTF-8; correct the address"
        ) from None
    has_no_bytes = any("\ud800" <= character <= "\udfff" for character in name)
    if has_no_bytes or "\0" in name or "/" in name or "\\" in name:
        raise DemoInvalid(f"{address!r} has a name that no file can have; correct the address")
    return name
