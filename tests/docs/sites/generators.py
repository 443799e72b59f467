"""Sphinx and MkDocs, each building the same shop as its author would."""

import re
import shutil
from abc import ABC, abstractmethod
from pathlib import Path
from subprocess import CompletedProcess
from typing import ClassVar

from tests.docs.sites.site_environment import SiteEnvironment, copy_site, write_package


class Generator(ABC):
    """A program that builds sites, in an environment with the built wheel."""

    name: ClassVar[str]
    pages: ClassVar[dict[str, str]]
    """Where the page of a name is built to: `index`, `plain`, `reading`."""
    to_root: ClassVar[str]
    """The way from the page `reading` to the root of the site."""
    setting: ClassVar[str]
    """The beginning of the names of its settings."""

    codes: ClassVar[set[int]]
    """Those with which it fails."""

    def __init__(self, environment: SiteEnvironment) -> None:
        self.environment = environment

    def new_site(self, folder: Path) -> Path:
        """Write the sources of the shop, with a package of this version beside it."""
        write_package(folder / "npm")
        return copy_site(self.name, folder)

    def build_quietly(self, site: Path, *options: str) -> Path:
        """Build a site that is right, and return what was built."""
        built = self.build(site, *options)
        assert (built.returncode, built.stdout, self._complaints(built, site)) == (0, "", [])
        return self._output(site, *options)

    def complaints(self, site: Path) -> list[str]:
        """Build a site that is wrong, and return the lines that say so."""
        built = self.build(site)
        assert built.returncode in self.codes
        return self._complaints(built, site)

    @abstractmethod
    def build(self, site: Path, *options: str) -> CompletedProcess[str]:
        """Build a site, so that a warning fails."""

    @abstractmethod
    def demo(self, tool: str, content: str = "", **options: str) -> str:
        """Return a demo as the first page would have it."""

    @abstractmethod
    def write_alone(self, site: Path, demo: str, *others: str) -> str:
        """Write the first page and no further one but `others`; return the place of its demo."""

    @abstractmethod
    def configure(self, site: Path, *, excludes_trees: bool = True, **settings: str | None) -> None:
        """Set the package, the script or the tree; without a package, none is copied."""

    @abstractmethod
    def warning(self, text: str, place: str = "") -> str:
        """Return the line that warns of something."""

    @abstractmethod
    def error(self, text: str) -> str:
        """Return the line with which a wrong setting ends the build."""

    @abstractmethod
    def _complaints(self, built: CompletedProcess[str], site: Path) -> list[str]: ...

    def _output(self, site: Path, *_options: str) -> Path:
        return site.parent / "html"


class Sphinx(Generator):
    """Sphinx with MyST; its first option is the builder."""

    name = "sphinx"
    pages: ClassVar = {
        "index": "index.html",
        "plain": "guide/plain.html",
        "reading": "guide/deep/reading.html",
    }
    to_root = "../../"
    setting = "treeglass_"
    codes: ClassVar = {1, 2}

    def build(self, site: Path, *options: str) -> CompletedProcess[str]:
        builder, *others = options or ("html",)
        return self.environment.run(
            *("-m", "sphinx", "-W", "--keep-going", "-q", *others, "-b", builder),
            *("-d", site.parent / "doctrees", site, self._output(site, builder)),
            cwd=site.parent,
        )

    def demo(self, tool: str, content: str = "", **options: str) -> str:
        lines = "".join(f"   :{name}: {value}\n" for name, value in options.items())
        return f".. treeglass-demo:: {tool}\n{lines}" + (f"\n   {content}\n" if content else "")

    def write_alone(self, site: Path, demo: str, *others: str) -> str:
        listed = "".join(f"   {other}\n" for other in others)
        contents = f"\n.. toctree::\n\n{listed}" if others else ""
        page = f":orphan:\n\nThe shop\n========\n\n{demo}{contents}"
        (site / "index.rst").write_text(page, "utf-8")
        shutil.rmtree(site / "guide")
        return "index.rst:6"

    def configure(self, site: Path, *, excludes_trees: bool = True, **settings: str | None) -> None:
        values = {f"treeglass_{name}": value for name, value in settings.items()}
        lines = "".join(f"{name} = {value!r}\n" for name, value in values.items())
        self.append(site, lines if excludes_trees else f"{lines}exclude_patterns = []\n")

    def append(self, site: Path, lines: str) -> None:
        """Append lines to the configuration."""
        conf = site / "conf.py"
        conf.write_text(f"{conf.read_text('utf-8')}\n{lines}", "utf-8")

    def warning(self, text: str, place: str = "") -> str:
        return f"{place}{': ' if place else ''}WARNING: {text} [treeglass]"

    def error(self, text: str) -> str:
        return f"sphinx.errors.ConfigError: {text}"

    def _complaints(self, built: CompletedProcess[str], site: Path) -> list[str]:
        # Without colours and the site's own path; of an exception, its last line.
        text = re.sub(r"\x1b\[[0-9;]*m", "", built.stderr).replace(f"{site}/", "")
        lines = [line for line in text.splitlines() if line]
        errors = [line.strip() for line in lines if "sphinx.errors.ConfigError: " in line]
        return errors or lines

    def _output(self, site: Path, *options: str) -> Path:
        return site.parent / (options[0] if options else "html")


class MkDocs(Generator):
    """MkDocs, with addresses that end in a slash."""

    name = "mkdocs"
    pages: ClassVar = {
        "index": "index.html",
        "plain": "guide/plain/index.html",
        "reading": "guide/deep/reading/index.html",
    }
    to_root = "../../../"
    setting = ""
    codes: ClassVar = {1}

    def build(self, site: Path, *options: str) -> CompletedProcess[str]:
        return self.environment.run(
            *("-m", "mkdocs", "build", "--strict", *options),
            *("--config-file", site / "mkdocs.yml", "--site-dir", site.parent / "html"),
            cwd=site.parent,
        )

    def demo(self, tool: str, content: str = "", **options: str) -> str:
        lines = "".join(f":{name}: {value}\n" for name, value in options.items())
        rest = f"\n{content}\n" if content else ""
        return f"```treeglass-demo {tool}\n{lines}{rest}```\n"

    def write_alone(self, site: Path, demo: str, *_others: str) -> str:
        page = f"---\ntitle: Shop\n---\n\n# Shop\n\n{demo}"
        (site / "docs" / "index.md").write_text(page, "utf-8")
        shutil.rmtree(site / "docs" / "guide")
        return "index.md:7"

    def configure(self, site: Path, *, excludes_trees: bool = True, **settings: str | None) -> None:
        named = {name: value for name, value in settings.items() if value is not None}
        options = "".join(f"      {name}: {value}\n" for name, value in named.items())
        plugin = f"  - treeglass:\n{options}" if options else "  - treeglass\n"
        self.replace(site, "  - treeglass:\n      package: ../npm\n", plugin)
        if not excludes_trees:
            self.replace(site, "exclude_docs: /trees/\n", "")

    def replace(self, site: Path, said: str, instead: str) -> None:
        """Replace a part of the configuration."""
        config = site / "mkdocs.yml"
        text = config.read_text("utf-8")
        assert said in text
        config.write_text(text.replace(said, instead), "utf-8")

    def warning(self, text: str, place: str = "") -> str:
        return f"WARNING -  treeglass: {place}{': ' if place else ''}{text}"

    def error(self, text: str) -> str:
        return f"ERROR   -  treeglass: {text}"

    def _complaints(self, built: CompletedProcess[str], _site: Path) -> list[str]:
        return [line for line in built.stderr.splitlines() if line and not line.startswith("INFO")]
