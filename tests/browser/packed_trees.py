"""Small trees as archives."""

import io
import tarfile
import zipfile
from collections.abc import Mapping


def zip_of(tree: Mapping[str, str | bytes]) -> bytes:
    """Return a zip of texts, or of bytes, by their paths."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in tree.items():
            archive.writestr(zipfile.ZipInfo(name, (2024, 2, 29, 12, 30, 58)), text)
    return packed.getvalue()


def tar_of(tree: Mapping[str, str], compression: str) -> bytes:
    """Return a tar of texts by their paths; the compression is tarfile's word for it."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode=f"w:{compression}") as archive:  # type: ignore[call-overload]  # one of its words
        for name, text in tree.items():
            content = text.encode()
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return packed.getvalue()
