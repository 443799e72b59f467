"""The start-up image is made of its sources alone."""

import hashlib
import json
import os
import platform
from pathlib import Path

import pytest

from build_steps.runtime.assets import STANDARD_LIBRARY
from build_steps.runtime.bytecode import PYODIDE, make_our_bytecode
from build_steps.runtime.smaller import bodies
from build_steps.runtime.smaller.trimmed import make_engine
from build_steps.runtime.start_image import ImageSources, write_start_image
from build_steps.wheels.pinned_wheels import runtime_wheels
from build_steps.wheels.wheel import wheel_path

_TELLING_LENGTH = 16
"""Shorter values of the environment, such as `/bin` or `1`, occur in any megabytes by chance."""


@pytest.fixture(scope="module")
def image(dist: Path) -> bytes:
    """The memory that the package carries."""
    assets = dist / "npm" / "assets"
    start = json.loads((assets / "start.json").read_text("utf-8"))
    path: str = start["image"]["memory"]["path"]
    return (assets / path).read_bytes()


@pytest.mark.rebuild
def test_the_same_sources_give_the_same_image(image: bytes, tmp_path: Path) -> None:
    ours = make_our_bytecode(wheel_path())

    wheels = runtime_wheels()
    make_engine(wheels)
    whole = ImageSources(PYODIDE / STANDARD_LIBRARY, (*wheels, ours))
    warm = bodies.warm_functions([whole.library, *wheels])
    sources = bodies.write_bodies(whole, wheels, warm, tmp_path)
    write_start_image(sources, tmp_path, is_packed=True)

    made = (tmp_path / "image.bin").read_bytes()
    assert hashlib.sha256(made).hexdigest() == hashlib.sha256(image).hexdigest()


def test_an_image_holds_nothing_of_the_machine_that_made_it(image: bytes, root: Path) -> None:
    values = {*os.environ.values(), platform.node()}
    telling = {value for value in values if len(value) >= _TELLING_LENGTH}

    assert {value for value in {*telling, str(root)} if value.encode() in image} == set()
