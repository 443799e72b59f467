"""Classes of characters, and which are equal without case, of Unicode 16.0; decoded on demand."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from string import ascii_letters

from treeglass.search.regex.class_ranges import (
    SCALAR_VALUES,
    Ranges,
    complement,
    intersection,
    members,
    of_characters,
    union,
)

_ASCII: Ranges = ((0, 0x7F),)
_ASCII_LETTERS: Ranges = ((0x41, 0x5A), (0x61, 0x7A))

SPACE: Ranges = (
    *((0x09, 0x0D), (0x20, 0x20), (0x85, 0x85), (0xA0, 0xA0), (0x1680, 0x1680)),
    *((0x2000, 0x200A), (0x2028, 0x2029), (0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000)),
)

# What is alphabetic or joins words, beyond letters, marks, digits and connectors.
_WORD_EXTRAS: Ranges = (
    (0x200C, 0x200D),
    (0x24B6, 0x24E9),
    (0x1F130, 0x1F149),
    (0x1F150, 0x1F169),
    (0x1F170, 0x1F189),
)

CATEGORY_NAMES = (
    *("cc", "cf", "cn", "co", "cs", "ll", "lm", "lo", "lt", "lu", "mc", "me", "mn", "nd", "nl"),
    *("no", "pc", "pd", "pe", "pf", "pi", "po", "ps", "sc", "sk", "sm", "so", "zl", "zp", "zs"),
)
"""The general categories; the table has a letter for each, in this order."""

_CATEGORY_NAMES = (
    "casedletter=lc closepunctuation=pe connectorpunctuation=pc control=cc "
    "currencysymbol=sc dashpunctuation=pd decimalnumber=nd digit=nd enclosingmark=me "
    "finalpunctuation=pf format=cf initialpunctuation=pi letter=l letternumber=nl "
    "lineseparator=zl lowercaseletter=ll mark=m mathsymbol=sm modifierletter=lm "
    "modifiersymbol=sk nonspacingmark=mn number=n openpunctuation=ps other=c "
    "otherletter=lo othernumber=no otherpunctuation=po othersymbol=so "
    "paragraphseparator=zp privateuse=co punctuation=p punct=p cntrl=cc combiningmark=m "
    "separator=z spaceseparator=zs spacingmark=mc surrogate=cs symbol=s "
    "titlecaseletter=lt unassigned=cn uppercaseletter=lu"
)
_CATEGORY_OF: dict[str, str] = dict(re.findall(r"(\w+)=(\w+)", _CATEGORY_NAMES))
"""The short name of each category by its long ones, as `plain_name` gives them."""

_SCRIPT_NAMES = (
    "arab=arabic cyrl=cyrillic deva=devanagari grek=greek hani=han hang=hangul hebr=hebrew "
    "hira=hiragana kana=katakana latn=latin"
)
_SCRIPT_CODES: dict[str, str] = dict(re.findall(r"(\w+)=(\w+)", _SCRIPT_NAMES))


class UnknownClass(LookupError):
    """No class has this name, or it is one that is not carried."""


@cache
def _by_category() -> dict[str, Ranges]:
    from treeglass.search.regex.unicode_data import CATEGORIES  # noqa: PLC0415 - large

    found: dict[str, list[tuple[int, int]]] = {}
    at = 0
    names = dict(zip(ascii_letters, CATEGORY_NAMES, strict=False))
    for letter, digits in re.findall(r"([a-zA-Z])(\d*)", CATEGORIES):
        length = int(digits or 1)
        found.setdefault(names[letter], []).append((at, at + length - 1))
        at += length
    return {name: tuple(ranges) for name, ranges in found.items()}


def general_category(name: str) -> Ranges:
    """Return the characters of a category by its small letters, one or two; or `UnknownClass`."""
    if name == "cs":
        return ()
    parts = ("lu", "ll", "lt") if name == "lc" else tuple(_by_category())
    found = [
        ranges
        for part, ranges in _by_category().items()
        if part != "cs" and part in parts and (name == "lc" or part.startswith(name))
    ]
    if not name or not found:
        raise UnknownClass(name)
    return union(*found)


@cache
def digit() -> Ranges:
    r"""Return `\d`: the decimal numbers."""
    return general_category("nd")


@cache
def word() -> Ranges:
    r"""Return `\w`: alphabetic, marks, decimal numbers, connectors and joiners."""
    return union(*map(general_category, ("l", "m", "nd", "nl", "pc")), _WORD_EXTRAS)


@cache
def _script(name: str) -> Ranges:
    from treeglass.search.regex.unicode_data import SCRIPTS  # noqa: PLC0415 - large

    found: list[tuple[int, int]] = []
    at = 0
    numbers = map(int, SCRIPTS[name].split())
    for gap, length in zip(numbers, numbers, strict=True):
        found.append((at + gap, at + gap + length - 1))
        at += gap + length
    return tuple(found)


def script(name: str) -> Ranges:
    """Return the characters of a script; `UnknownClass` if it is not carried."""
    try:
        return _script(_SCRIPT_CODES.get(name, name))
    except KeyError:
        raise UnknownClass(name) from None


def named_class(name: str) -> Ranges:
    r"""Return the class that `\p{name}` names, without `=`; or raise `UnknownClass`."""
    plain = plain_name(name)
    if plain in ("any", "ascii", "assigned"):
        assigned = complement(general_category("cn"), SCALAR_VALUES)
        return {"any": SCALAR_VALUES, "ascii": ((0, 0x7F),), "assigned": assigned}[plain]
    # `sc`, `lc` and `cf` are categories here, as in Rust.
    try:
        return general_category(_CATEGORY_OF.get(plain, plain))
    except UnknownClass:
        return script(plain)


def valued_class(name: str, value: str) -> Ranges | None:
    r"""Return the class of `\p{name=value}`; None for an unknown name, else `UnknownClass`."""
    plain = plain_name(value)
    match plain_name(name):
        case "gc" | "generalcategory":
            if plain in ("any", "ascii", "assigned"):
                return named_class(plain)
            return general_category(_CATEGORY_OF.get(plain, plain))
        case "sc" | "script":
            return script(plain)
    return None


def plain_name(name: str) -> str:
    """Return a name as names are compared: small, without blanks and hyphens."""
    plain = re.sub(r"[\s_-]", "", name).lower()
    return plain.removeprefix("is") if plain != "isc" else plain


@cache
def equals() -> dict[int, tuple[int, ...]]:
    """Return for each character that has a case those that are equal to it, itself included."""
    from treeglass.search.regex.unicode_data import FOLDING  # noqa: PLC0415 - large

    orbits: dict[int, set[int]] = {}
    first = 0
    for run in FOLDING.split(","):
        gap, distance, stride, number = map(int, run.split())
        first += gap
        for code in range(first, first + stride * number, stride):
            other = code + distance
            orbit = orbits.get(code, {code}) | orbits.get(other, {other})
            for member in orbit:
                orbits[member] = orbit
    return {code: tuple(sorted(orbit)) for code, orbit in orbits.items()}


@cache
def _with_case() -> Ranges:
    return of_characters(equals())


@lru_cache(maxsize=64)
def folded(ranges: Ranges) -> Ranges:
    """Return a set with every character that equals one of its own."""
    if intersection(ranges, _ASCII) == ranges and not intersection(ranges, _ASCII_LETTERS):
        return ranges
    known = equals()
    more = [other for code in members(intersection(ranges, _with_case())) for other in known[code]]
    return union(ranges, of_characters(more)) if more else ranges


def folded_ascii(ranges: Ranges) -> Ranges:
    """Return a set of bytes with the other case of each ASCII letter."""
    more = [code ^ 0x20 for code in members(intersection(ranges, _ASCII_LETTERS))]
    return union(ranges, of_characters(more)) if more else ranges
