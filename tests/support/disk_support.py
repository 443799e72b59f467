"""What the disk of the tests can hold, found out by trying."""

from pathlib import Path

_NAMES = ("a", "A", "a\nb", "a\\b", "a:b", "a.", "\udcff", "\u00e9", "e\u0301")
"""Names that one system or another refuses, changes, or takes for another of them."""


def holds_every_tree(folder: Path) -> bool:
    """Tell whether a disk stores every name of bytes as it is, and symbolic links.

    Args:
        folder: A folder on it; a folder `names` stays there.
    """
    names = folder / "names"
    try:
        names.mkdir()
        for name in _NAMES:
            (names / name).touch(exist_ok=False)
        (names / "link").symlink_to("a")
    except (OSError, ValueError):
        return False
    return {found.name for found in names.iterdir()} == {*_NAMES, "link"}
