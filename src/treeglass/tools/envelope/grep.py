"""`Grep`: lines that match a regular expression, in a Standard Envelope."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from treeglass.errors import CallTimedOut
from treeglass.escaping import escape_controls
from treeglass.search.regex import RegexInvalid, compile_python
from treeglass.tool import ToolContext, ToolResult
from treeglass.tools.envelope.envelope_building import (
    answer_envelope,
    envelope_context,
    largest_envelope,
)
from treeglass.tools.envelope.errors import SEARCH_CWD, WordedError, failed_answer, resolved
from treeglass.tools.envelope.grep_search import Found, search
from treeglass.tools.envelope.project_paths import name_warnings, text_warnings
from treeglass.tools.envelope.tree_walk import SearchRoot, find_root, shown_limit
from treeglass.utf8 import lossy_text

if TYPE_CHECKING:
    from treeglass.tools.envelope.arguments import GrepArgs

_TIMED_OUT = {
    True: "[Partial: Search timed out (>{}s). Results are incomplete.]",
    False: "[Error: Search timed out (>{}s) without finding results.]",
}
_INFO = "[Info: ripgrep not available; used slower Python fallback search.]"


class _Answer(NamedTuple):
    """The parts of an answer that do not depend on how many matches fit."""

    found: Found
    pattern: str
    """As the text shows it."""
    where: str
    elapsed_seconds: float
    limit_seconds: str
    context: dict[str, Any]
    call: ToolContext


def run(args: GrepArgs, context: ToolContext) -> ToolResult:
    """Answer a call with the lines that match, those of the newest file first."""
    root = find_root(args.path, context)
    with resolved(root.where):
        found = _search(args, root, context)
    answer = _Answer(
        found,
        escape_controls(args.pattern) if context.escape_names else args.pattern,
        context.shown_path(root.where),
        context.elapsed_seconds,
        shown_limit(context.timeout_seconds),
        envelope_context(
            cwd=SEARCH_CWD,
            arguments=context.arguments,
            path_resolved=lossy_text(root.where),
            pattern=args.pattern,
            sorted_by="mtime_desc",
        ),
        context,
    )
    if found.timed_out and not found.matches:
        failed = failed_answer(
            "TIMEOUT",
            _text(answer, 0),
            answer.context,
            context,
            elapsed_seconds=answer.elapsed_seconds,
        )
        return replace(failed, warnings=_warnings(answer, 0, is_truncated=False))
    return _largest_answer(answer, root)


def _search(args: GrepArgs, root: SearchRoot, context: ToolContext) -> Found:
    try:
        pattern = compile_python(
            args.pattern, ignore_case=not args.case_sensitive, checkpoint=context.checkpoint
        )
        return search(root, args.include, pattern, context)
    except CallTimedOut:
        found = Found()
        found.timed_out = True
        return found
    except RegexInvalid as error:
        raise WordedError("INVALID_PARAM", f"Invalid regex pattern: {error}") from None


def _largest_answer(answer: _Answer, root: SearchRoot) -> ToolResult:
    """Return all matches, or as many of them as fit the budget."""
    matches = answer.found.matches
    with resolved(root.where):
        count, envelope, content = largest_envelope(
            lambda count: _envelope(answer, count), len(matches), answer.call.budget_bytes
        )
    is_truncated = envelope["data"]["truncated"]
    return ToolResult(
        content=content,
        structured_content=envelope,
        truncated=is_truncated or answer.found.timed_out,
        warnings=_warnings(answer, count, is_truncated=is_truncated),
    )


def _envelope(answer: _Answer, count: int) -> dict[str, Any]:
    found = answer.found
    matches = found.matches[:count]
    reason = {} if found.timed_out else {"fallback_reason": "rg_not_found"}
    return answer_envelope(
        is_partial=True,
        data={
            "matches": [
                {"file": lossy_text(match.file), "line": match.line, "text": match.text}
                for match in matches
            ],
            "truncated": _is_truncated(found, count),
            "fallback_used": True,
            **reason,
        },
        text=_text(answer, count),
        elapsed_seconds=answer.elapsed_seconds,
        counters={"matched_files": _count_files(answer, count), "matched_lines": count},
        context=answer.context,
    )


def _is_truncated(found: Found, count: int) -> bool:
    return found.has_more or count < len(found.matches)


def _count_files(answer: _Answer, count: int) -> int:
    return len({match.file for match in answer.found.matches[:count]})


def _text(answer: _Answer, count: int) -> str:
    """Return what the model reads."""
    found = answer.found
    what = f"for '{answer.pattern}' in '{answer.where}'"
    lines = [
        f"Found {count} matches in {_count_files(answer, count)} files {what}"
        if found.matches
        else f"No matches found {what}",
        f"(Sorted by mtime desc. Took {int(answer.elapsed_seconds * 1000)}ms)",
    ]
    if _is_truncated(found, count):
        lines.append(f"[Truncated: Showing first {count} matches. Narrow pattern or path.]")
    timed_out = _TIMED_OUT[bool(found.matches)].format(answer.limit_seconds)
    lines.append(timed_out if found.timed_out else _INFO)
    if found.matches:
        lines.append("")
        lines += [
            f"{answer.call.shown_path(match.file)}:{match.line}: {match.text}"
            for match in found.matches[:count]
        ]
    return "\n".join(lines)


def _unsearched(found: Found) -> str:
    if found.known_files is None:
        return "The time was up while files were looked for, and none was searched; narrow path."
    return (
        f"The time was up after {found.searched_files:,} of {found.known_files:,} files were "
        "searched to their end, the newest first; narrow path or include."
    )


def _warnings(answer: _Answer, count: int, *, is_truncated: bool) -> tuple[str, ...]:
    matches = answer.found.matches[:count]
    texts = "\n".join(match.text for match in matches)
    said = []
    if answer.found.timed_out:
        said.append(_unsearched(answer.found))
    if is_truncated:
        said.append("More lines match than are shown; use a narrower pattern, path or include.")
    if isinstance(answer.call.arguments, dict) and "limit" in answer.call.arguments:
        said.append("The argument limit does not exist and was ignored.")
    if answer.found.skipped_long_lines:
        said.append(
            "Lines of more than 10,000 characters are not searched for look-around, "
            "backreferences and possessive repetitions."
        )
    if answer.found.has_one_time:
        said.append("All files have the same time, so they are sorted by path.")
    if "\0" in texts:
        said.append("Files that look binary are shown: lines hold NUL characters.")
    files = list(dict.fromkeys(match.file for match in matches))
    named = name_warnings(files, answer.call, member="data.matches")
    return (*said, *text_warnings(texts), *named)
