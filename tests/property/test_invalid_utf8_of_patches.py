"""What `apply_patch` says of a file that is no UTF-8, against the table of Unicode."""

import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from treeglass import Config, ToolRegistry, Workspace


@given(st.binary(max_size=6), st.sampled_from([b"", b"a", "é".encode(), "\U0001f642".encode()]))
def test_bytes_that_are_no_text_are_named_as_rust_names_them(head: bytes, tail: bytes) -> None:
    raw = head + tail
    config = {
        "experimental_supported_tools": ["apply_patch"],
        "offered": [],
        "approval": {"mode": "auto"},
    }
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "f").write_bytes(raw)
        registry = ToolRegistry(Workspace({"/repo": folder}), Config.from_object({"tools": config}))
        result = registry.call_tool(
            "apply_patch", "*** Begin Patch\n*** Delete File: f\n*** End Patch"
        )

    fault = modelled_fault(raw)
    said = f"apply_patch verification failed: Failed to read /repo/f: {fault}"
    assert (result.content if result.is_error else "") == (said if fault else "")


def modelled_fault(raw: bytes) -> str:
    """Return Rust's words for bytes that are not UTF-8, by the table of Unicode's section 3.9."""
    at = 0
    while at < len(raw):
        first = raw[at]
        low, high = {0xE0: (0xA0, 0xBF), 0xED: (0x80, 0x9F)}.get(first, (0x80, 0xBF))
        low, high = {0xF0: (0x90, 0xBF), 0xF4: (0x80, 0x8F)}.get(first, (low, high))
        bounds = [(low, high), (0x80, 0xBF), (0x80, 0xBF)]
        if first < 0x80:  # ASCII
            at += 1
            continue
        size = sum(first >= start for start in (0xC2, 0xE0, 0xF0)) if first <= 0xF4 else 0
        if size == 0:
            return f"invalid utf-8 sequence of 1 bytes from index {at}"
        for number in range(size):
            if at + 1 + number == len(raw):
                return f"incomplete utf-8 byte sequence from index {at}"
            low, high = bounds[number]
            if not low <= raw[at + 1 + number] <= high:
                return f"invalid utf-8 sequence of {number + 1} bytes from index {at}"
        at += size + 1
    return ""
