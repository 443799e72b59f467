"""Random patterns of Rust's grammar, and random lines that may match them."""

from random import Random

_ATOMS = [
    *("a", "b", "c", "x", "A", "B", "_", "1", "é", "ß", "\u017f", "\u212a", "日", "😀", " ", "-"),
    *(".", r"\.", r"\w", r"\W", r"\d", r"\D", r"\s", r"\S", "[a-c]", "[^a]", "[ab1]", r"[^\s]"),
    *(r"\p{Lu}", r"\P{L}", r"\pN", "[[:alpha:]]", "[[:^word:]]", "[a-z&&[^b]]", r"[\w--a]"),
    *("[a-c~~b-d]", r"\x61", r"\u{e9}", "(?i:K)", "(?i:[a-b])", "(?s:.)", "(?-i:a)", "(?i:é)"),
    *(r"\p{Greek}", r"[^\w]", "\u03c3", "\u03a3", r"\p{Han}", r"(?u:\w)", r"(?-u:\w)", "[]a]"),
]
_LOOKS = [
    *("^", "$", r"\b", r"\B", r"\A", r"\z", r"\<", r"\>", r"\b{start}", r"\b{end}"),
    *(r"\b{start-half}", r"\b{end-half}", r"(?-u:\b)", r"(?-u:\B)", "(?-m:^)", "(?R:$)", "(?R:^)"),
]
_REPEATS = ["*", "+", "?", "*?", "+?", "??", "{2}", "{1,3}", "{0,2}?", "{2,}", "{1}", "{,2}"]
_LETTERS = (
    "aaabbcxAB_1éß\u017f\u212a日😀 -.kKsS\u03c3\u03a3\u03c2²\u0300\u200d\u2028\xa0\u0130\u0131"
)
_NOISE = "()[]{}*+?|^$-&~:<"


def random_pattern(random: Random, depth: int = 4) -> str:
    """Return a pattern, now and then one with a mistake."""
    pattern = _pattern(random, depth)
    if random.random() < 0.05:
        at = random.randrange(len(pattern) + 1)
        pattern = pattern[:at] + random.choice(_NOISE) + pattern[at:]
    return pattern


def _pattern(random: Random, depth: int) -> str:
    kind = random.random()
    if depth == 0 or kind < 0.35:
        return random.choice(_ATOMS)
    if kind < 0.45:
        return random.choice(_LOOKS)
    if kind < 0.65:
        return "".join(_pattern(random, depth - 1) for _ in range(random.randint(1, 4)))
    if kind < 0.75:
        branches = [
            _pattern(random, depth - 1) if random.random() < 0.95 else ""
            for _ in range(random.randint(1, 3))
        ]
        return f"({random.choice(['', '?:', '?i:', '?U:', '?x:', '?s:'])}{'|'.join(branches)})"
    if kind < 0.97:
        return f"(?:{_pattern(random, depth - 1)}){random.choice(_REPEATS)}"
    return f"(?i){_pattern(random, depth - 1)}"


def random_line(random: Random) -> str:
    """Return a line without an end."""
    length = random.choice([0, 1, 2, 3, 5, 8, 12, 20])
    return "".join(random.choice(_LETTERS) for _ in range(length))
