import pytest

from treeglass.search.checkpoint import no_check
from treeglass.tools.envelope.errors import WordedError
from treeglass.tools.envelope.grep_search import compile_include

PATHS = ("a.py", "src/a.py", "src/util/b.py", "src/util/deep/c.py", "A.PY", ".h.py")


@pytest.mark.parametrize(
    ("include", "included"),
    [
        (None, PATHS),
        (" ", PATHS),
        ("*.py", ("a.py", "src/a.py", "src/util/b.py", "src/util/deep/c.py", ".h.py")),
        ("util/*.py", ("src/util/b.py",)),
        (".\\util\\*.py", ("src/util/b.py",)),
        ("//util//./b.py", ("src/util/b.py",)),
        ("src/**/*.py", ("src/util/b.py",)),
        ("**/a.py", ("a.py", "src/a.py")),
        ("**/", PATHS),
        ("[!a]*.py", ("src/util/b.py", "src/util/deep/c.py", ".h.py")),
        ("*.{py}", ()),
        ("../a.py", ()),
    ],
)
def test_a_glob_is_matched_part_by_part_from_the_right(
    include: str | None, included: tuple[str, ...]
) -> None:
    is_included = compile_include(include, no_check)

    assert tuple(path for path in PATHS if is_included(path)) == included


@pytest.mark.parametrize("include", ["/", "\\", "./", ".", "./."])
def test_a_glob_without_a_part_is_an_error(include: str) -> None:
    with pytest.raises(WordedError) as refused:
        compile_include(include, no_check)

    assert str(refused.value) == "Search failed (empty pattern)."
