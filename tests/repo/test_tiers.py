"""Every test has one tier: the README's command runs `fast`, and CI runs both."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.support.tiers import FAST, FULL

if TYPE_CHECKING:
    from pathlib import Path


def test_each_collected_test_has_exactly_one_tier(request: pytest.FixtureRequest) -> None:
    tiers = {
        item.nodeid: [tier for tier in (FAST, FULL) if item.get_closest_marker(tier)]
        for item in request.session.items
    }

    assert [name for name, found in tiers.items() if len(found) != 1] == []


@pytest.mark.slow
def test_both_tiers_together_are_all_tests(root: Path) -> None:
    fast, full = collected(root, "--all", "-m", FAST), collected(root, "--all", "-m", FULL)

    assert collected(root) == fast
    assert fast & full == set()
    assert collected(root, "--all") == fast | full


def test_ci_runs_both_tiers(root: Path) -> None:
    lines = (root / ".ci" / "run").read_text("utf-8").splitlines()

    assert [line for line in lines if "build.py test" in line] == ["uv run build.py test --all"]


def collected(root: Path, *arguments: str) -> set[str]:
    listing = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "-q", *arguments],
        cwd=root,
        capture_output=True,
        check=True,
        text=True,
    )
    return {line for line in listing.stdout.splitlines() if "::" in line}
