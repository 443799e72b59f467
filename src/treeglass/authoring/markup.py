"""The element `<treeglass-demo>` as text: written so that no renderer takes it apart."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from treeglass.authoring.demo import BARE, DEFAULT_MOUNT_PATH, Demo, InlineTree, TreeAt
from treeglass.authoring.trees.tree_in_memory import well_formed

if TYPE_CHECKING:
    from treeglass.authoring.recording import Recording

ELEMENT = "treeglass-demo"

_LINE_ENDS = re.compile(r"[\r\n]+")
_BRACE_BEFORE_BRACE = re.compile(r"\{(?=\{)")


def render_demo(demo: Demo, recording: Recording | None) -> str:
    r"""Return the whole element, with its static answer if one is given.

    The opening tag is one line and the element has no blank line, so that it is
    one block in Markdown too; it starts and ends without a line feed.

    Example:
        >>> from treeglass.authoring.demo import Demo, TreeAt
        >>> from treeglass.authoring.recording import Recording
        >>> demo = Demo(tool="list_dir", tree=TreeAt("shop.zip"), arguments='{"dir_path": "/repo"}')
        >>> answer = Recording(content="Absolute path: /repo\nREADME.md", is_error=False)
        >>> print(render_demo(demo, answer))
        <treeglass-demo src="shop.zip" tool="list_dir" arguments='{"dir_path": "/repo"}'>
        <code class="call">list_dir {"dir_path": "/repo"}</code>
        <pre data-recorded>Absolute path: /repo
        README.md</pre>
        </treeglass-demo>
    """
    attributes = " ".join(_attribute(name, value) for name, value in _attributes(demo))
    lines = [f"<{ELEMENT} {attributes}>"]
    if isinstance(demo.tree, InlineTree):
        lines.append(f'<script type="application/json">{demo.tree.entries_json}</script>')
    if recording is not None:
        lines.append(render_answered(demo.tool, demo.arguments, recording))
    lines.append(f"</{ELEMENT}>")
    return "\n".join(lines)


def render_answered(tool: str, arguments: str, recording: Recording) -> str:
    """Return the call, for readers without JavaScript, and its static answer below."""
    call = f'<code class="call">{render_call(tool, arguments)}</code>'
    return f"{call}\n{render_recording(recording)}"


def render_call(tool: str, arguments: str) -> str:
    """Return a call as the content of its element: on one line, since JSON may have several."""
    lines = (line.strip() for line in _LINE_ENDS.split(f"{tool} {arguments}"))
    return escape_content(" ".join(line for line in lines if line))


def render_recording(recording: Recording) -> str:
    """Return the static answer, `<pre data-recorded>…</pre>`; no line of it is blank."""
    mark = " data-is-error" if recording.is_error else ""
    return f"<pre data-recorded{mark}>{escape_content(recording.content)}</pre>"


def escape_content(text: str) -> str:
    """Return a text as the content of a `pre`, without a blank line.

    The line feed that ends a blank line is written `&#10;`, since Markdown ends a
    block there, a carriage return `&#13;`, since HTML makes it a line feed, and a
    tab `&#9;`, since some Markdown makes it blanks. Of two braces the first is
    written `&#123;`, since Vue's templates take two for an expression. A NUL and a
    lone surrogate, which HTML cannot hold, are U+FFFD.
    """
    # HTML drops the first line feed of a `pre`, spelled out or not.
    first = "\n" if text.startswith("\n") else ""
    escaped = storable_text(text)
    escaped = escaped.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    escaped = escaped.replace("\r", "&#13;").replace("\t", "&#9;")
    escaped = _BRACE_BEFORE_BRACE.sub("&#123;", escaped)
    *lines, last = escaped.split("\n")
    ended = (f"{line}\n" if line.strip() else f"{line}&#10;" for line in lines)
    return "".join([first, *ended, last])


def storable_text(text: str) -> str:
    """Return a text with U+FFFD for each character that HTML cannot hold."""
    return well_formed(text.replace("\0", "\ufffd"))


def _attributes(demo: Demo) -> Iterator[tuple[str, str]]:
    tree = demo.tree
    if isinstance(tree, TreeAt):
        yield "src", tree.address
        if tree.integrity is not None:
            yield "integrity", tree.integrity
    elif not isinstance(tree, InlineTree):
        yield tree.kind, tree.name
    yield "tool", demo.tool
    yield "arguments", demo.arguments
    if demo.mount_path != DEFAULT_MOUNT_PATH:
        yield "mount-path", demo.mount_path
    if demo.config is not None:
        yield "config", demo.config
    if demo.max_output_bytes is not None:
        yield "max-output-bytes", str(demo.max_output_bytes)
    yield from demo.presentation.items()


def _attribute(name: str, value: str) -> str:
    if name in BARE:
        return name
    # A line feed is spelled out, since Markdown wants the tag on one line.
    escaped = value.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    escaped = escaped.replace("\n", "&#10;").replace("\r", "&#13;").replace("\t", "&#9;")
    if '"' in escaped and "'" not in escaped:
        return f"{name}='{escaped}'"
    quoted = escaped.replace('"', "&quot;")
    return f'{name}="{quoted}"'
