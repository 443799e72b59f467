"""Parse the dialect of Rust's regex crate, with ripgrep's rules for lines, into a tree.

Errors are those that ripgrep prints: the pattern stands in `(?:…)`, as ripgrep parses it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from treeglass.search.checkpoint import Checkpoint, no_check
from treeglass.search.regex.ceilings import Meter, check_length, check_size
from treeglass.search.regex.rust_classes import MAX_NESTING, TOO_NESTED, ClassReader
from treeglass.search.regex.rust_meaning import (
    Flags,
    Meaning,
    refuse_impossible,
    without_line_feeds,
)
from treeglass.search.regex.rust_scanner import Decimal, Escape, Scanner
from treeglass.search.regex.tree import Look, Node, alternation, concat, repeat

_REPETITION_MISSING = "repetition operator missing expression"


def parse_rust(
    pattern: str,
    *,
    ignore_case: bool = False,
    unicode: bool = True,
    in_bytes: bool = False,
    checkpoint: Checkpoint = no_check,
) -> Node:
    """Return the tree of a pattern, over characters or bytes, without line feeds in any set.

    What ripgrep refuses is `RegexInvalid`, what has no tree over characters `NeedsBytes`.
    """
    check_length(pattern)
    meter = Meter(checkpoint)
    flags = Flags(i=ignore_case, u=unicode)
    node = _Parser(f"(?:{pattern})", flags, meter, in_bytes=in_bytes).parse()
    # Before anything walks the tree: a class over bytes is large.
    check_size(node)
    refuse_impossible(node)
    return without_line_feeds(node)


@dataclass(slots=True)
class _Part:
    node: Node | None
    """None for a change of flags."""
    depth: int = 0


@dataclass(slots=True)
class _Group:
    """A group that is still open."""

    start: int
    flags_outside: Flags
    done: list[_Part] = field(default_factory=list)
    """The alternatives before the last bar."""
    parts: list[_Part] = field(default_factory=list)


class _Parser:
    def __init__(self, pattern: str, flags: Flags, meter: Meter, *, in_bytes: bool) -> None:
        self._meter = meter
        self._scanner = Scanner(pattern)
        self._meaning = Meaning(self._scanner, in_bytes=in_bytes)
        self._flags = flags
        self._groups = [_Group(0, flags)]
        self._names: dict[str, tuple[int, int]] = {}

    def parse(self) -> Node:
        scanner = self._scanner
        actions: dict[str, Callable[[], None]] = {
            "(": self._open_group,
            ")": self._close_group,
            "|": self._bar,
            "[": self._class,
            "?": self._repetition,
            "*": self._repetition,
            "+": self._repetition,
            "{": self._counted_repetition,
        }
        while True:
            scanner.skip_blanks()
            if scanner.is_at_end:
                break
            self._meter.count()
            actions.get(scanner.char, self._single)()
        if len(self._groups) > 1:
            start = self._groups[-1].start
            scanner.fail("unclosed group", (start, start + 1))
        whole = self._whole(self._groups[0])
        if self._meaning.first_error is not None:
            raise self._meaning.first_error
        return whole.node if whole.node is not None else concat([])

    def _add(self, node: Node, depth: int = 0) -> None:
        self._groups[-1].parts.append(_Part(node, depth))

    def _set_flags(self, flags: Flags) -> None:
        self._flags = flags
        self._scanner.skips_blanks = flags.x

    def _open_group(self) -> None:
        scanner = self._scanner
        start = scanner.at
        scanner.step()
        scanner.skip_blanks()
        inner = scanner.at
        if any(map(scanner.skip, ("?=", "?!", "?<=", "?<!"))):
            scanner.fail(
                "look-around, including look-ahead and look-behind, is not supported",
                (start, scanner.at),
            )
        group = _Group(start, self._flags)
        if any(map(scanner.skip, ("?P<", "?<"))):
            self._group_name()
        elif scanner.skip("?"):
            if scanner.is_at_end:
                scanner.fail("unclosed group", (start, start + 1))
            flags, is_empty = self._read_flags()
            self._set_flags(flags)
            is_flags_only = scanner.char == ")"
            scanner.step()
            if is_flags_only:
                if is_empty:
                    scanner.fail(_REPETITION_MISSING, (inner, inner))
                self._groups[-1].parts.append(_Part(None))
                return
        self._groups.append(group)

    def _group_name(self) -> None:
        scanner = self._scanner
        start = scanner.at
        while scanner.char not in ("", ">"):
            char = scanner.char
            is_fine = char == "_" or char.isalpha()
            if scanner.at > start:
                is_fine = is_fine or char in ".[]" or char.isalnum()
            if not is_fine:
                scanner.fail("invalid capture group character", scanner.here)
            scanner.step()
        if scanner.is_at_end:
            scanner.fail("unclosed capture group name", (scanner.at, scanner.at))
        span = (start, scanner.at)
        name = scanner.pattern[start : scanner.at]
        scanner.step()
        if not name:
            scanner.fail("empty capture group name", span)
        if name in self._names:
            scanner.fail("duplicate capture group name", self._names[name], span)
        self._names[name] = span

    def _read_flags(self) -> tuple[Flags, bool]:
        """Read flags up to their end; return what is in force then, and if there were none."""
        scanner = self._scanner
        seen: dict[str, tuple[int, int]] = {}
        last = ""
        flags = self._flags
        while scanner.char not in (":", ")"):
            last = scanner.char
            if last != "-" and last not in Flags.__dataclass_fields__:
                scanner.fail("unrecognized flag", scanner.here)
            if last in seen:
                reason = "flag negation operator repeated" if last == "-" else "duplicate flag"
                scanner.fail(reason, seen[last], scanner.here)
            if last != "-":
                flags = replace(flags, **{last: "-" not in seen})
            seen[last] = scanner.here
            if not scanner.step():
                scanner.fail("expected flag but got end of regex", (scanner.at, scanner.at))
        if last == "-":
            scanner.fail("dangling flag negation operator", seen["-"])
        return flags, not seen

    def _bar(self) -> None:
        group = self._groups[-1]
        group.done.append(self._joined(group.parts))
        group.parts = []
        self._scanner.step()

    def _close_group(self) -> None:
        if len(self._groups) == 1:
            self._scanner.fail("unopened group", self._scanner.here)
        group = self._groups.pop()
        self._set_flags(group.flags_outside)
        self._scanner.step()
        whole = self._whole(group)
        self._check_depth(whole.depth + 1, group.start)
        self._add(whole.node or concat([]), whole.depth + 1)

    def _joined(self, parts: list[_Part]) -> _Part:
        nodes = [part.node for part in parts if part.node is not None]
        deepest = max((part.depth for part in parts), default=0)
        return _Part(concat(nodes), deepest + (len(parts) > 1))

    def _whole(self, group: _Group) -> _Part:
        if not group.done:
            return self._joined(group.parts)
        parts = [*group.done, self._joined(group.parts)]
        nodes = [part.node for part in parts if part.node is not None]
        return _Part(alternation(nodes), max(part.depth for part in parts) + 1)

    def _check_depth(self, depth: int, start: int) -> None:
        if depth > MAX_NESTING:
            self._scanner.fail(TOO_NESTED, (start, self._scanner.at))

    def _repeated(self) -> _Part:
        """Take the part that an operator repeats."""
        parts = self._groups[-1].parts
        if not parts or parts[-1].node is None:
            self._scanner.fail(_REPETITION_MISSING, (self._scanner.at, self._scanner.at))
        return parts.pop()

    def _add_repeat(self, part: _Part, least: int, most: int | None, start: int) -> None:
        is_greedy = not self._scanner.skip("?")
        self._check_depth(part.depth + 1, start)
        node = part.node or concat([])
        self._add(repeat(node, least, most, is_greedy=is_greedy != self._flags.U), part.depth + 1)

    def _repetition(self) -> None:
        part = self._repeated()
        start = self._scanner.at
        least, most = {"?": (0, 1), "*": (0, None), "+": (1, None)}[self._scanner.char]
        self._scanner.step()
        self._add_repeat(part, least, most, start)

    def _counted_repetition(self) -> None:
        part = self._repeated()
        scanner = self._scanner
        start = scanner.at
        if not scanner.step_past_blanks():
            self._unclosed_repetition(start)
        number = scanner.decimal()
        has_comma = scanner.char == ","
        if scanner.is_at_end or (has_comma and not scanner.step_past_blanks()):
            self._unclosed_repetition(start)
        least = self._count_of(number)
        most: int | None = least
        if has_comma:
            most = None if scanner.char == "}" else self._count_of(scanner.decimal())
        if scanner.char != "}":
            self._unclosed_repetition(start)
        scanner.step_past_blanks()
        if most is not None and least > most:
            scanner.skip("?")
            reason = "invalid repetition count range, the start must be <= the end"
            scanner.fail(reason, (start, scanner.at))
        self._add_repeat(part, least, most, start)

    def _count_of(self, number: Decimal) -> int:
        if number.value is None:
            self._scanner.fail("repetition quantifier expects a valid decimal", number.span)
        return number.value

    def _unclosed_repetition(self, start: int) -> None:
        self._scanner.fail("unclosed counted repetition", (start, self._scanner.at))

    def _single(self) -> None:
        scanner = self._scanner
        item = self._item()
        match item.kind:
            case "class" | "property":
                ranges = self._meaning.of_class(item, self._flags)
                self._meter.count(ranges)
                node = self._meaning.of_set(ranges, self._flags)
            case "look":
                node = self._meaning.of_look(Look[item.value], self._flags)
            case _ if item.end - item.start == 1 and item.value == ".":
                node = self._meaning.of_dot(self._flags)
            case _ if item.end - item.start == 1 and item.value in ("^", "$"):
                node = self._meaning.of_anchor(item.value, self._flags)
            case _:
                node = self._meaning.of_literal(item, self._flags)
        self._add(node)
        scanner.skip_blanks()

    def _item(self) -> Escape:
        """Read an escape or a plain character."""
        scanner = self._scanner
        if scanner.char == "\\":
            return scanner.escape()
        start = scanner.at
        char = scanner.char
        scanner.step()
        return Escape("literal", char, start, scanner.at)

    def _class(self) -> None:
        ranges = ClassReader(self._scanner, self._meaning, self._flags, self._meter).read()
        self._add(self._meaning.of_set(ranges, self._flags), 1)
