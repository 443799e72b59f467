"""The wheels that JupyterLite's kernel needs besides its own: pinned, fetched once."""

from pathlib import Path

from build_steps.folders import BUILD
from build_steps.wheels.pinned_wheels import pinned_wheels

_PINS = Path(__file__).with_name("jupyterlite-kernel-wheels.txt")
_TARGET = ("--python-version", "3.14", "--implementation", "py", "--abi", "none")


def kernel_wheels() -> list[Path]:
    """Return the wheels, fetched when they are not there.

    Raises:
        BuildFailed: They cannot be fetched.
    """
    folder = BUILD / "jupyterlite-kernel"
    return pinned_wheels(
        "jupyterlite-kernel wheels", _PINS, folder, target=[*_TARGET, "--platform", "any"]
    )
