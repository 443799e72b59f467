"""Every adapter that is published is described: its page has its name and an example."""

from pathlib import Path

import pytest

from build_steps.npm.npm_package import ADAPTERS


@pytest.mark.parametrize(
    "name", [pytest.param(name, id=f"{name}: describe it in docs/adapters.md") for name in ADAPTERS]
)
def test_each_adapter_is_described(root: Path, name: str) -> None:
    page = (root / "docs" / "adapters.md").read_text("utf-8")
    hosts = "".join(line for line in page.splitlines() if line.startswith("| "))

    assert f"`{name}`" in hosts, f"docs/adapters.md: the table of hosts has no row for `{name}`"
    assert f'"treeglass/adapters/{name}"' in page, (
        f'docs/adapters.md: no example imports "treeglass/adapters/{name}"'
    )
