"""A newer Node.js, for tools that do not run on this machine's own."""

from functools import cache

from build_steps.folders import BUILD, ROOT
from build_steps.programs import find_program
from build_steps.web.packages import install_locked
from tests.support.programs import printed_by

_PINNED = ROOT / "tests" / "edge" / "newer-node"


@cache
def folders_of_newer_node(needed: tuple[int, int]) -> list[str]:
    """Return what to put first on the PATH, so that `node` has at least the version `needed`.

    That is the folder of the Node.js that npm's lock pins, or nothing if the machine's own will do.

    Raises:
        BuildFailed: npm could not install it.
    """
    said = printed_by(find_program("node"), "--version")
    major, minor = map(int, said.removeprefix("v").split(".")[:2])
    if (major, minor) >= needed:
        return []
    folder = install_locked("newer-node", _PINNED, into=BUILD / "newer-node")
    return [str(found.parent) for found in folder.glob("node_modules/node-*/bin/node")]
