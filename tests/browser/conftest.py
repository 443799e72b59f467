"""Browsers for the stories, from the plugin that every browser test shares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.browser_support import use_browser_support

if TYPE_CHECKING:
    import pytest


def pytest_configure(config: pytest.Config) -> None:
    use_browser_support(config)
