"""The line that a person reads before approving a listing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treeglass.summary import summarize

if TYPE_CHECKING:
    from treeglass.config import Config
    from treeglass.tools.forge.arguments import ListDirectoryArgs


def approval_summary(args: ListDirectoryArgs, config: Config) -> str:
    """Return `List <path>`, with `[depth N]` for a recursive call (FR-LD-APPR)."""
    depth = f" [depth {args.max_depth}]" if args.recursive else ""
    is_escaped = config.tools.output.escape_names
    return summarize("List ", args.path, is_escaped=is_escaped, behind=depth)
