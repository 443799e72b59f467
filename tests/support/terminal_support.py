"""A terminal for the tests of what a person sees."""

import os

import pytest


def open_terminal() -> tuple[int, int]:
    """Return the descriptors of a terminal, ours and the program's; without any, the test skips."""
    if not hasattr(os, "openpty"):
        pytest.skip("this system opens no terminals for programs")
    ours, theirs = os.openpty()
    return ours, theirs
