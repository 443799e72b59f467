"""The sentence with which the build refuses something."""

from collections.abc import Callable

import pytest

from build_steps.failure import BuildFailed


def refusal_of(step: Callable[..., object], *arguments: object, **options: object) -> str:
    """Return what a step says that fails."""
    with pytest.raises(BuildFailed) as refusal:
        step(*arguments, **options)
    return str(refusal.value)
