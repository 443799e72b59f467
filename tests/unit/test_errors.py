import errno

import pytest

from treeglass.errors import LimitExceeded, NotARegularFile, NulInPath, from_os_error


@pytest.mark.parametrize(
    ("name", "kind", "text"),
    [
        ("ENOENT", "PathNotFound", "No such file or directory (os error 2)"),
        ("EACCES", "PermissionDenied", "Permission denied (os error 13)"),
        ("EPERM", "PermissionDenied", "Operation not permitted (os error 1)"),
        ("ENOTDIR", "NotADirectory", "Not a directory (os error 20)"),
        ("EISDIR", "IsADirectory", "Is a directory (os error 21)"),
        ("ELOOP", "SymlinkLoop", "Too many levels of symbolic links (os error 40)"),
        ("ENAMETOOLONG", "NameTooLong", "File name too long (os error 36)"),
        ("EIO", "HostFault", "Input/output error (os error 5)"),
        ("EMFILE", "HostFault", "Too many open files (os error 24)"),
        ("EXDEV", "HostFault", "Input/output error (os error 5)"),
    ],
)
def test_an_error_of_the_host_is_worded_as_linux_words_it(name: str, kind: str, text: str) -> None:
    error = from_os_error(OSError(getattr(errno, name), "whatever the host says"))

    assert (type(error).__name__, error.linux_text, str(error)) == (kind, text, text)


def test_errors_that_linux_has_no_number_for_have_words_of_their_own() -> None:
    texts = [
        error.linux_text
        for error in (NotARegularFile(), NulInPath(), LimitExceeded("max_walk_entries", 2000))
    ]

    assert texts == [
        "not a regular file",
        "file name contained an unexpected NUL byte",
        "max_walk_entries is 2,000; ask for less, for example one subdirectory",
    ]
