"""A clipboard that only takes notes: reading the browser's own takes a permission."""

NOTE_COPIES = """() => {
    globalThis.copied = [];
    const clipboard = { writeText: async (text) => void copied.push(text) };
    Object.defineProperty(navigator, "clipboard", { value: clipboard, configurable: true });
}"""
"""Puts it in front of the browser's own; `copied` lists the texts."""
