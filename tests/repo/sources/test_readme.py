"""The README shows what exists; `tests/docs/blocks/test_code_blocks.py` runs its examples."""

from tests.docs.blocks.code_blocks import blocks_of


def test_readme_shows_python_a_shell_and_javascript() -> None:
    assert {block.tag for block in blocks_of("README.md")} >= {"python", "sh", "js"}


def test_every_block_of_the_readme_is_run() -> None:
    assert [block.place for block in blocks_of("README.md") if not block.is_run] == []
