"""Only `workspace/host.py` touches a filesystem: proven over the syntax tree.

Exceptions are the files that the command line writes, by `treeglass pack` and by `--patch`, and the
tools of documentation authors, which no page carries.
"""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from build_steps.runtime.inside_pyodide.reachable_modules import NEVER_ENTERED

_PURE: Mapping[str, Sequence[str]] = {
    # What can touch a filesystem at all, and the part of it that does not.
    "os": (
        *("PathLike", "altsep", "fsdecode", "fsencode", "fspath", "sep", "stat_result"),
        *("path.basename", "path.dirname", "path.isabs", "path.join", "path.normcase"),
        *("path.normpath", "path.split", "path.splitdrive"),
    ),
    "pathlib": ("PurePath", "PurePosixPath", "PureWindowsPath"),
    "io": ("BytesIO", "StringIO", "BufferedReader"),
    "posixpath": ("join", "normpath"),
    "urllib": ("parse.quote",),
    "codecs": (
        *("BOM_UTF8", "BOM_UTF16_BE", "BOM_UTF16_LE", "getincrementaldecoder"),
        *("utf_16_be_decode", "utf_16_le_decode", "utf_32_decode"),
    ),
    **dict.fromkeys(("ctypes", "fileinput", "glob", "importlib", "linecache", "mmap"), ()),
    **dict.fromkeys(("nt", "ntpath", "posix", "runpy", "shelve", "shutil", "socket"), ()),
    **dict.fromkeys(("sqlite3", "subprocess", "tarfile", "tempfile", "zipfile"), ()),
}
_BUILTINS = frozenset({"__import__", "compile", "eval", "exec", "open"})

HOST = "workspace/host.py"

EXCEPTIONS = {
    ("workspace/lines.py", "io.IncrementalNewlineDecoder"): (
        "it decodes bytes that were read already"
    ),
    ("tool.py", "importlib.import_module"): (
        "a definition names the module of its run, and no argument does"
    ),
    ("command/call.py", "pathlib.Path"): (
        "the command line reads the file of arguments that the person names"
    ),
    ("command/options.py", "pathlib.Path"): (
        "the command line reads the file that the person names with --config, and says which "
        "folder of --mount is missing"
    ),
    ("__main__.py", "os.O_WRONLY", "os.devnull", "os.dup2", "os.open"): (
        "the command line drops its remaining output when its reader is gone"
    ),
    ("pack/__init__.py", "zipfile.ZIP_DEFLATED", "zipfile.ZipFile", "zipfile.ZipInfo"): (
        "an archive is written into a stream that the caller opened, and given no path"
    ),
    ("command/mcp.py", "os._exit"): "a server that is told to stop waits for no more input",
    ("command/mcp_worker.py", "os._exit"): "a process that is told to stop ends at once",
    ("command/mcp_calls.py", "os.pathsep", "os.pathsep.join", "subprocess.PIPE"): (
        "calls run in a process of their own, which finds the modules where this one does"
    ),
    ("command/pack.py", "pathlib.Path"): (
        "the command line writes the file that the person names with -o, and nothing else"
    ),
    ("command/pack.py", "os.environ", "os.environ.get"): (
        "reproducible builds say their time in SOURCE_DATE_EPOCH"
    ),
    ("command/pack.py", "os.path.relpath"): (
        "a manifest says the way from itself to the packed directory; only the two names count"
    ),
    ("command/pack.py", "os.urandom"): "two runs at once write to files of their own",
    ("command/patch_file.py", "pathlib.Path"): (
        "the command line writes the file that the person names with --patch, outside every mount"
    ),
    ("command/patch_file.py", "os.urandom"): "two runs at once write to files of their own",
    ("workspace/overlay/export.py", "zipfile.ZipFile", "zipfile.ZipInfo"): (
        "an export is written into memory, and given no path"
    ),
}
"""By a module and what it uses, why it may."""

AUTHORS = "authoring/"
"""Modules that read and write the files of a page's author; no page has them."""


def _uses(source: str) -> set[str]:
    """Return the names of the filesystem that a module uses, dotted."""
    tree = ast.parse(source)
    imported = dict(_imports(tree))
    used = {name for name in imported.values() if "." in name}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            dotted = _dotted(node)
            top, _, rest = dotted.partition(".")
            if top in imported:
                used.add(f"{imported[top]}.{rest}")
        elif isinstance(node, ast.Name) and node.id in _BUILTINS:
            used.add(node.id)
    return {name for name in used if _touches(name)}


def _imports(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.partition(".")[0]
                yield (alias.asname or top, alias.name if alias.asname else top)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                yield (alias.asname or alias.name, f"{node.module}.{alias.name}")


def _dotted(node: ast.expr) -> str:
    match node:
        case ast.Attribute(value=value, attr=attribute):
            return f"{_dotted(value)}.{attribute}"
        case ast.Name(id=name):
            return name
        case _:
            return "?"


def _touches(name: str) -> bool:
    if name in _BUILTINS:
        return True
    top = name.partition(".")[0]
    if top not in _PURE or name == "os.path":
        return False
    # `os.stat_result.st_size` is as pure as `os.stat_result`.
    return not any(f"{name}.".startswith(f"{top}.{pure}.") for pure in _PURE[top])


def _found(package: Path) -> set[tuple[str, str]]:
    modules = {path.relative_to(package).as_posix(): path for path in package.rglob("*.py")}
    return {
        (name, use)
        for name, path in modules.items()
        if name != HOST
        for use in _uses(path.read_text("utf-8"))
    }


def test_no_module_but_the_host_touches_a_filesystem(root: Path) -> None:
    found = _found(root / "src" / "treeglass")

    touching = {(module, use) for module, use in found if not module.startswith(AUTHORS)}
    excepted = {(module, use) for module, *uses in EXCEPTIONS for use in uses}
    assert touching == excepted, "an entry here that no module needs is stale"


def test_no_page_carries_a_module_for_authors() -> None:
    assert "treeglass.authoring" in NEVER_ENTERED


def test_no_module_for_authors_extracts_an_archive_or_leaves_the_machine(root: Path) -> None:
    package = root / "src" / "treeglass" / AUTHORS
    sources = {path: path.read_text("utf-8") for path in package.rglob("*.py")}
    called = {
        (module, node.func.attr)
        for module, source in sources.items()
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    }
    tops = {
        (module, name.partition(".")[0])
        for module, source in sources.items()
        for _, name in _imports(ast.parse(source))
    }

    extracting = {"extract", "extractall", "unpack_archive"}
    leaving = {"http", "requests", "socket", "subprocess", "urllib3"}
    assert {(module, name) for module, name in called if name in extracting} == set()
    assert {(module, name) for module, name in tops if name in leaving} == set()


def test_the_host_itself_touches_it_by_these_calls_only(root: Path) -> None:
    host = (root / "src" / "treeglass" / HOST).read_text("utf-8")

    assert {name for name in _uses(host) if not name.startswith("os.O_")} == {
        *("open", "os.DirEntry", "os.close", "os.fstat", "os.lstat", "os.open", "os.readlink"),
        *("os.path.realpath", "os.scandir", "os.stat"),
        *("os.supports_dir_fd", "os.supports_fd"),
    }


def test_the_host_opens_nothing_to_write(root: Path) -> None:
    host = (root / "src" / "treeglass" / HOST).read_text("utf-8")
    words = set(re.findall(r"\bO_\w+", host))
    modes = {
        ast.literal_eval(mode)
        for node in ast.walk(ast.parse(host))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "open"
        for mode in node.args[1:]
    }

    assert (words, modes) == (
        {
            *("O_BINARY", "O_CLOEXEC", "O_DIRECTORY", "O_NOFOLLOW", "O_NONBLOCK"),
            *("O_PATH", "O_RDONLY"),
        },
        {"rb"},
    )


def test_every_way_around_the_gate_is_seen() -> None:
    ways = {
        "open('a')": {"open"},
        "import os\nos.scandir('.')": {"os.scandir"},
        "import os as o\no.walk('.')": {"os.walk"},
        "from os import listdir as names\nnames('.')": {"os.listdir"},
        "import os.path\nos.path.exists('.')": {"os.path.exists"},
        "from os import path\npath.getsize('.')": {"os.path.getsize"},
        "import pathlib\npathlib.Path('.').iterdir()": {"pathlib.Path"},
        "from pathlib import Path\nPath('.').read_text()": {"pathlib.Path"},
        "import io\nio.open('a')": {"io.open"},
        "from shutil import copyfile": {"shutil.copyfile"},
        "from importlib.resources import files\nfiles('a')": {"importlib.resources.files"},
        "__import__('os').listdir('.')": {"__import__"},
        "read = open": {"open"},
        "import os\nos.path.join('a', 'b')": set(),
        "from pathlib import PurePosixPath\nPurePosixPath('a').parts": set(),
        "workspace.open(path).read()": set(),
    }

    assert {way: _uses(way) for way in ways} == ways
