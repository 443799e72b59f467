"""No text that an agent can write leads out of the mounts."""

import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from treeglass import Workspace
from treeglass.errors import WorkspaceError
from treeglass.escaping import escape_name, unescape_name

NAMES = ["a", "b", "in", "out", "abs", "loop", "pool", "up", "..", ".", "", "\\u{2E}\\u{2E}", "\0"]
paths = st.lists(st.sampled_from(NAMES) | st.text(max_size=4), max_size=8).map("/".join) | st.text(
    max_size=40
)


@pytest.fixture(scope="module")
def host() -> Path:
    """Return a mounted directory that has links of every kind in it."""
    base = Path(os.path.realpath(tempfile.mkdtemp()))
    root = base / "mounted"
    (root / "a" / "b").mkdir(parents=True)
    (base / "outside").mkdir()
    (base / "outside" / "secret").write_text("secret")
    (root / "in").symlink_to("a/b")
    (root / "out").symlink_to("../outside")
    (root / "abs").symlink_to(base / "outside" / "secret")
    (root / "loop").symlink_to("pool")
    (root / "pool").symlink_to("loop")
    (root / "a" / "up").symlink_to("../..")
    return root


@example(text="loop/../out/secret", strict=False, unescape=False)
@given(text=paths, strict=st.booleans(), unescape=st.booleans())
def test_no_path_escapes(host: Path, text: str, strict: bool, unescape: bool) -> None:
    workspace = Workspace({"/repo": host})
    try:
        path = workspace.resolve(text, strict=strict, unescape=unescape)
    except WorkspaceError:
        return

    if path.host is None:
        assert path.virtual != "/repo"
        # Only an entry below one link too many is in the mount and not on the host.
        assert not (strict and path.virtual.startswith("/repo/"))
        return
    assert Path(path.host) == host or host in Path(path.host).parents
    assert ".." not in Path(path.host).parts
    # The last name may be a link that is not followed; none before it is one.
    assert os.path.realpath(Path(path.host).parent) == str(Path(path.host).parent)
    if strict:
        assert os.path.realpath(path.host) == path.host


@given(name=st.text(st.characters(exclude_characters="/\0"), min_size=1, max_size=30))
def test_the_escaped_spelling_of_any_name_reads_back(name: str) -> None:
    shown = escape_name(name)

    assert unescape_name(shown) == name


@given(
    names=st.sets(
        st.text(
            st.characters(codec="utf-8", exclude_characters="/\0"), min_size=1, max_size=12
        ).filter(lambda name: name not in {".", ".."})
        | st.sampled_from(["a\nb", r"a\u{A}b", r"a\u{5C}u{A}b", "a\u202eb", r"\x{FF}"]),
        min_size=1,
        max_size=6,
    )
)
def test_the_spelling_that_a_listing_shows_opens_the_same_file(names: set[str]) -> None:
    with tempfile.TemporaryDirectory() as directory:
        for name in names:
            Path(directory, name).write_text(name, "utf-8")
        workspace = Workspace({"/repo": directory})
        for entry in workspace.scan(workspace.resolve("/repo")):
            path = workspace.resolve(f"/repo/{escape_name(entry.name)}", unescape=True)
            assert path.virtual == f"/repo/{entry.name}"
