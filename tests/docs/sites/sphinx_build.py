"""A site of Sphinx, built as its author would, and the output of the build."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path
    from subprocess import CompletedProcess

    from tests.docs.sites.site_environment import SiteEnvironment


def build(
    environment: SiteEnvironment, site: Path, builder: str = "html", *options: str
) -> CompletedProcess[str]:
    return environment.run(
        *("-m", "sphinx", "-W", "--keep-going", "-q", *options, "-b", builder),
        *("-d", site.parent / "doctrees", site, site.parent / builder),
        cwd=site.parent,
    )


def build_quietly(
    environment: SiteEnvironment, site: Path, builder: str = "html", *options: str
) -> Path:
    built = build(environment, site, builder, *options)
    assert (built.returncode, built.stdout, built.stderr) == (0, "", "")
    return site.parent / builder


def complaints(built: CompletedProcess[str], site: Path) -> list[str]:
    """Return the lines that a failed build wrote, without colours and the site's own path."""
    assert built.returncode != 0
    text = re.sub(r"\x1b\[[0-9;]*m", "", built.stderr).replace(f"{site}/", "")
    return [line for line in text.splitlines() if line]


def configuration_errors(built: CompletedProcess[str], site: Path) -> list[str]:
    lines = [line.strip() for line in complaints(built, site)]
    name = "sphinx.errors.ConfigError: "
    return [line.removeprefix(name) for line in lines if line.startswith(name)]


def set_options(site: Path, **values: str | None) -> None:
    lines = "".join(f"{name} = {value!r}\n" for name, value in values.items())
    conf = site / "conf.py"
    conf.write_text(f"{conf.read_text('utf-8')}\n{lines}", "utf-8")
