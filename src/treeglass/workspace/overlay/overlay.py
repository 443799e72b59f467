"""What tools propose to change, over the mounts of a workspace that nothing writes."""

from __future__ import annotations

from treeglass.workspace.overlay.proposals import Proposals


class Overlay(Proposals):
    """The proposals of one session, and what a person does with them.

    `Workspace.overlay` makes one.

    Example:
        >>> import tempfile, pathlib
        >>> from treeglass import Workspace
        >>> folder = tempfile.mkdtemp()
        >>> _ = pathlib.Path(folder, "a.txt").write_text("old")
        >>> workspace = Workspace({"/repo": folder})
        >>> workspace.overlay.version, dict(workspace.overlay.record.proposals)
        (0, {})
    """
