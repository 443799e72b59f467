"""Everything that treeglass raises.

An error that is neither a `CallError` nor a `WorkspaceError` reaches the program that uses
treeglass. Those never leave the registry: the tool that was called turns each into its own family's
words.
"""

from __future__ import annotations

import errno

# Linux's number and text of an error, by the error's name. Those of other systems
# differ (Emscripten's ENOENT is 44), and answers must not.
_LINUX = {
    "EPERM": (1, "Operation not permitted"),
    "ENOENT": (2, "No such file or directory"),
    "EIO": (5, "Input/output error"),
    "ENXIO": (6, "No such device or address"),
    "ENOMEM": (12, "Cannot allocate memory"),
    "EACCES": (13, "Permission denied"),
    "EBUSY": (16, "Device or resource busy"),
    "ENODEV": (19, "No such device"),
    "ENOTDIR": (20, "Not a directory"),
    "EISDIR": (21, "Is a directory"),
    "EINVAL": (22, "Invalid argument"),
    "ENFILE": (23, "Too many open files in system"),
    "EMFILE": (24, "Too many open files"),
    "EFBIG": (27, "File too large"),
    "EROFS": (30, "Read-only file system"),
    "ENAMETOOLONG": (36, "File name too long"),
    "ELOOP": (40, "Too many levels of symbolic links"),
    "EOVERFLOW": (75, "Value too large for defined data type"),
    "ESTALE": (116, "Stale file handle"),
}


class TreeglassError(Exception):
    """The base of all that treeglass raises."""


class ConfigInvalid(TreeglassError, ValueError):
    """A configuration key is unknown or its value is refused; the text names the key."""


class WorkspaceInvalid(TreeglassError, ValueError):
    """A workspace cannot be made of these mounts and directories."""


class PathUnreadable(TreeglassError):
    """A page cannot list a directory or open a file; the text is a sentence."""


class UnknownFormat(TreeglassError, ValueError):
    """No definitions can be rendered in a format of this name; the text lists the formats."""


class UnknownChange(TreeglassError, ValueError):
    """A path, a hunk or a step that a person decides about is not there."""


class StateInvalid(TreeglassError, ValueError):
    """Bytes that should be a saved overlay are something else, or were changed."""


class UnknownHunk(TreeglassError, LookupError):
    """A key is that of no hunk, or of another file's."""

    def __init__(self, key: str) -> None:
        super().__init__(f"no hunk has the key {key!r}; take a key from the file's newest diff")
        self.key = key


class StaleHunk(TreeglassError):
    """A key is of another base, or of lines that were changed since; nothing is taken back."""

    def __init__(self, path: str) -> None:
        super().__init__(f"{path} has changed since this hunk was shown; look at its newest diff")
        self.path = path


class ExportRefused(TreeglassError):
    """An archive cannot hold a changed file under its name; the text is a sentence."""


class PackFailed(TreeglassError):
    """A tree cannot be packed; the output written so far is incomplete and useless."""


class SourceUnreadable(TreeglassError, ValueError):
    """A compressed archive is broken or needs too much memory; the text is a sentence."""


class CallError(TreeglassError):
    """A tool call that ends without a result."""


class InvalidArguments(CallError):
    """The arguments of a call are not what the tool's input schema says."""


class CallDenied(CallError):
    """Policy, a limit or a person refused the call before it ran.

    ``kind`` is ``disabled``, ``denylisted``, ``limits_exceeded`` or ``user_denied``;
    ``warning`` says more to the host.
    """

    def __init__(self, kind: str, message: str, *, warning: str = "") -> None:
        super().__init__(message)
        self.kind = kind
        self.warning = warning


class CallTimedOut(CallError):
    """The call ran longer than it may: ``elapsed_seconds``."""

    def __init__(self, elapsed_seconds: float) -> None:
        super().__init__(f"timed out after {elapsed_seconds:.0f}s")
        self.elapsed_seconds = elapsed_seconds


class CallCancelled(CallError):
    """The host cancelled the call while it ran."""

    def __init__(self) -> None:
        super().__init__("Cancelled by user")


class OutputBudgetTooSmall(CallError):
    """Not even the smallest valid answer fits into the output budget."""

    def __init__(self, budget_bytes: int, needed_bytes: int) -> None:
        super().__init__(
            f"output budget too small: the smallest answer takes {needed_bytes} bytes, "
            f"{budget_bytes} are left; call again with more room"
        )


class InternalFault(CallError):
    """A mistake in treeglass or in a tool added to it; the host's log has the details."""

    def __init__(self) -> None:
        super().__init__("internal error: this call cannot be answered; try another tool or path")


class WorkspaceError(TreeglassError):
    """A path cannot be resolved, listed or read; ``linux_text`` is the same on every system."""

    errno_name = "EIO"

    @property
    def linux_text(self) -> str:
        """Linux's wording of the error, with its number."""
        number, text = _LINUX.get(self.errno_name, _LINUX["EIO"])
        return f"{text} (os error {number})"

    def __str__(self) -> str:
        return super().__str__() or self.linux_text


class PathNotFound(WorkspaceError):
    """Nothing exists at the path, or it is not mounted."""

    errno_name = "ENOENT"


class PathEscapesWorkspace(PathNotFound):
    """A symbolic link leads out of every mount: a path that is not mounted does not exist."""


class NotADirectory(WorkspaceError):
    """The path is not a directory, and one is needed."""

    errno_name = "ENOTDIR"


class IsADirectory(WorkspaceError):
    """The path is a directory, and a file is needed."""

    errno_name = "EISDIR"


class NotARegularFile(WorkspaceError):
    """The path is a pipe, a socket or a device, which are never opened."""

    errno_name = "EINVAL"

    @property
    def linux_text(self) -> str:
        """Our own wording: Linux would open it, and might block for ever."""
        return "not a regular file"


class PermissionDenied(WorkspaceError):
    """The host refuses to list, inspect or read the path."""

    errno_name = "EACCES"


class ChangeRefused(PermissionDenied):
    """The configuration refuses to change this path: ``reason`` says by which pattern."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path} may not be changed: {reason}")
        self.path = path
        self.reason = reason


class SymlinkLoop(WorkspaceError):
    """More than 40 symbolic links on one path."""

    errno_name = "ELOOP"


class NameTooLong(WorkspaceError):
    """A name of more than 255 bytes or a path of more than 4,095."""

    errno_name = "ENAMETOOLONG"


class NulInPath(WorkspaceError):
    """A path holds a NUL character, which no filesystem can store."""

    errno_name = "EINVAL"

    @property
    def linux_text(self) -> str:
        """The text has no number: such a path never reaches the system."""
        return "file name contained an unexpected NUL byte"


class LimitExceeded(WorkspaceError):
    """A ceiling of `treeglass.workspace.limits` was reached."""

    errno_name = "EFBIG"

    def __init__(self, limit: str, value: int) -> None:
        super().__init__(f"{limit} is {value:,}; ask for less, for example one subdirectory")
        self.limit = limit
        self.value = value

    @property
    def linux_text(self) -> str:
        """Our own wording, which names the limit."""
        return str(self)


class HostFault(WorkspaceError):
    """Any other fault of the host's filesystem."""

    def __init__(self, errno_name: str = "EIO") -> None:
        super().__init__()
        self.errno_name = errno_name


def from_os_error(error: OSError) -> WorkspaceError:
    """Return the error for an `OSError`, by its type or its name, never its number."""
    name = errno.errorcode.get(error.errno or 0, "EIO")
    if isinstance(error, PermissionError):
        denied = PermissionDenied()
        denied.errno_name = name if name in {"EACCES", "EPERM"} else "EACCES"
        return denied
    for kind in (PathNotFound, NotADirectory, IsADirectory, SymlinkLoop, NameTooLong):
        if kind.errno_name == name:
            return kind()
    return HostFault(name)
