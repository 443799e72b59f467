"""The lock from which Pyodide's loader knows our packages, and no others."""

from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name, parse_wheel_filename
from pyodide_lock import PackageSpec, PyodideLockSpec

from build_steps.failure import BuildFailed
from build_steps.freshness import sha256_of
from build_steps.wheels.pinned_wheels import metadata_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from packaging.utils import NormalizedName
    from packaging.version import Version
    from pyodide_lock import InfoSpec


def write_lock(lock: Path, *, wheels: Sequence[Path], pyodide_lock: Path) -> None:
    """Write a lock that names exactly these wheels, by file name and SHA-256.

    Pyodide's own lock names 300 packages and is 44 times as large; the loader reads it whole
    before it starts. Of that lock only the description of Pyodide's build is kept.
    """
    build = PyodideLockSpec.from_json(pyodide_lock).info
    versions = dict(map(_named, wheels))
    packages = [_package(wheel, versions, build) for wheel in wheels]
    spec = PyodideLockSpec(
        info=build,
        packages={package.name: package for package in sorted(packages, key=lambda p: p.name)},
    )
    spec.check_wheel_filenames()
    spec.to_json(lock, indent=1)


def _named(wheel: Path) -> tuple[NormalizedName, Version]:
    name, version, _build, _tags = parse_wheel_filename(wheel.name)
    return name, version


def _package(
    wheel: Path, versions: Mapping[NormalizedName, Version], build: InfoSpec
) -> PackageSpec:
    name, version = _named(wheel)
    with zipfile.ZipFile(wheel) as archive:
        members = archive.namelist()
    return PackageSpec(
        name=name,
        version=str(version),
        file_name=wheel.name,
        install_dir="site",
        sha256=sha256_of(wheel),
        imports=_imports(members),
        depends=_depends(wheel, versions, build),
    )


def _imports(members: Sequence[str]) -> list[str]:
    tops = {member.split("/")[0] for member in members}
    modules = (top for top in tops if not top.endswith(".dist-info"))
    return sorted(module.removesuffix(".pyc").removesuffix(".py") for module in modules)


def _depends(wheel: Path, versions: Mapping[NormalizedName, Version], build: InfoSpec) -> list[str]:
    # pyodide_lock can read this from a wheel, but needs two more packages for it and does not
    # know the platform tag of pydantic-core's wheel.
    environment = {
        "extra": "",
        "platform_system": "Emscripten",
        "python_full_version": build.python,
        "python_version": build.python.rpartition(".")[0],
        "sys_platform": "emscripten",
    }
    depends: list[str] = []
    for requirement in map(Requirement, metadata_of(wheel).get_all("Requires-Dist", [])):
        if requirement.marker is not None and not requirement.marker.evaluate(environment):
            continue
        name = canonicalize_name(requirement.name)
        if name not in versions or versions[name] not in requirement.specifier:
            raise BuildFailed(
                f"{wheel.name} needs {requirement}, which build_steps/wheels/runtime-wheels.txt "
                "does not pin: pin it there."
            )
        depends.append(name)
    return sorted(depends)
