import pytest

from treeglass.tools.forge.paths.denied_patterns import (
    DEFAULT_DENIED_PATTERNS,
    MAX_ALTERNATIVES,
    compile_patterns,
)


def matching(pattern: str, *paths: str) -> list[str]:
    (denied,) = compile_patterns((pattern,))
    return [path for path in paths if denied.matches(path)]


@pytest.mark.parametrize(
    ("pattern", "denied", "allowed"),
    [
        ("**/.ssh/**", ["/p/.ssh/keys", "/.ssh/a/b", "/p/.ssh"], ["/p/x.ssh/keys", "/p/.sshd"]),
        ("**/id_rsa*", ["/p/id_rsa", "/p/id_rsa.pub", "/p/id_rsa/x"], ["/p/my_id_rsa"]),
        ("**/*.pem", ["/p/a.pem", "/.pem"], ["/p/a.pem.txt", "/p/A.PEM"]),
        ("/p/secret", ["/p/secret"], ["/p/secret/x", "/q/p/secret", "/p/Secret"]),
        ("/p/a?c", ["/p/abc", "/p/a/c"], ["/p/ac", "/p/abbc"]),
        ("/p/*/z", ["/p/a/z", "/p/a/b/z"], ["/p/z"]),
        ("/p/**/z", ["/p/z", "/p/a/z", "/p/a/b/z"], ["/p/az", "/pz"]),
        ("/p/**", ["/p", "/p/a", "/p/a/b"], ["/pa", "/"]),
        ("/p/**/**", ["/p", "/p/a"], ["/pa"]),
        ("**", ["/", "/p"], []),
        ("/**", ["/", "/p/a"], []),
        ("a/**/b", [], ["/a/b"]),
        ("**/[ab]c", ["/p/ac", "/p/bc"], ["/p/cc", "/p/abc"]),
        ("**/[!ab]c", ["/p/cc"], ["/p/ac"]),
        ("**/[^ab]c", ["/p/cc"], ["/p/bc"]),
        ("**/[a-c]", ["/p/b"], ["/p/d", "/p/-"]),
        ("**/[c-a]", ["/p/-", "/p/a"], ["/p/b"]),
        ("**/[]-]x", ["/p/]x", "/p/-x"], ["/p/ax"]),
        ("**/*.{key,p{12,fx}}", ["/a.key", "/a.p12", "/a.pfx"], ["/a.p", "/a.keyp12"]),
        ("**/.env{,.*}", ["/p/.env", "/p/.env.local"], ["/p/.environment"]),
        (r"**/\*.key", ["/p/*.key"], ["/p/a.key"]),
        (r"**/\{a,b\}", ["/p/{a,b}"], ["/p/a"]),
        ("**/[x", ["/p/[x"], ["/p/x"]),
        ("**/{a,b", ["/p/{a,b"], ["/p/a"]),
        ("**/a]b}", ["/p/a]b}"], []),
        ("**/a\\", ["/p/a\\"], ["/p/a"]),
        ("**/a.b+c", ["/p/a.b+c"], ["/p/axb+c", "/p/a.bbc"]),
        ("/p/**b", ["/p/b", "/p/a/b", "/p/ab"], ["/p/ba"]),
        ("**/n\n*", ["/p/n\nx\ny"], ["/p/nx"]),
    ],
)
def test_pattern_covers_exactly_these_paths(
    pattern: str, denied: list[str], allowed: list[str]
) -> None:
    assert matching(pattern, *denied, *allowed) == denied


EXAMPLES = {
    "**/.ssh/**": "/p/.ssh/known_hosts",
    "**/.gnupg/**": "/p/.gnupg",
    "**/.aws/**": "/p/.aws/credentials",
    "**/.azure/**": "/p/.azure/x",
    "**/.config/gcloud/**": "/p/.config/gcloud/x",
    "**/.git-credentials": "/p/.git-credentials",
    "**/.npmrc": "/p/.npmrc",
    "**/.pypirc": "/p/.pypirc",
    "**/.netrc": "/p/.netrc",
    "**/.env": "/p/.env",
    "**/.env.*": "/p/.env.local",
    "**/*.env": "/p/prod.env",
    "**/id_rsa*": "/p/id_rsa",
    "**/id_ed25519*": "/p/id_ed25519.pub",
    "**/id_ecdsa*": "/p/id_ecdsa",
    "**/*.pem": "/p/a.pem",
    "**/*.key": "/p/a.key",
    "**/*.p12": "/p/a.p12",
    "**/*.pfx": "/p/a.pfx",
    "**/*.der": "/p/a.der",
}


def test_default_patterns_cover_keys_and_credentials() -> None:
    assert tuple(EXAMPLES) == DEFAULT_DENIED_PATTERNS
    assert {pattern: matching(pattern, path) for pattern, path in EXAMPLES.items()} == {
        pattern: [path] for pattern, path in EXAMPLES.items()
    }


@pytest.mark.parametrize("path", ["/p", "/p/.git", "/p/.git/objects", "/p/.config", "/p/src/keys"])
def test_default_patterns_leave_ordinary_directories_alone(path: str) -> None:
    patterns = compile_patterns(DEFAULT_DENIED_PATTERNS)

    assert [denied.pattern for denied in patterns if denied.matches(path)] == []


def test_pattern_with_more_alternatives_than_the_ceiling_denies_everything() -> None:
    at_ceiling = "/{" + ",".join(f"a{number}" for number in range(MAX_ALTERNATIVES)) + "}"

    assert matching(at_ceiling, "/a0", "/a255", "/b") == ["/a0", "/a255"]
    assert matching(at_ceiling.replace("}", ",b}"), "/a0", "/c") == ["/a0", "/c"]


@pytest.mark.parametrize("pattern", ["**/" + "a*" * 60 + "b", "*a" * 60 + "b", "**/a/" * 60 + "b"])
def test_crafted_pattern_is_answered_without_trying_every_way(pattern: str) -> None:
    assert matching(pattern, "/" + "a/" * 2000, "/" + "a" * 4000) == []


def test_compiled_patterns_are_kept() -> None:
    assert compile_patterns(("**/x",)) is compile_patterns(("**/x",))
