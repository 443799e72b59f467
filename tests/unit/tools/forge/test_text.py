import pytest

from treeglass.tools.forge.text import is_hidden_in_path, sanitized

A40 = "a" * 40
SECOND_PART = "b" * 10


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("a\x1b[1;31mb\x1b[Kc", "abc", id="colours"),
        pytest.param("a\x1b[1\nb", "a\nb", id="a sequence that a line feed breaks off"),
        pytest.param("a\x1b]0;title\x07b\x1b]2;x\x1b\\c\x1b]open", "abc", id="titles"),
        pytest.param("a\x1bPq\x1b\\b\x1b(0c\x1b7d\x1be", "abcde", id="other sequences"),
        pytest.param("a\x9b31mb\x85c\x7fd\x00e\tf\r\n", "abcde\tf\r\n", id="controls"),
        pytest.param("a\u202eb\u200bc\ufeffd\ufe0fe\U000e0041f", "abcdef", id="invisible"),
        pytest.param(
            "-----BEGIN RSA PRIVATE KEY-----\nx\n-----END RSA PRIVATE KEY-----",
            "-----BEGIN RSA PRIVATE KEY-----\n[REDACTED]\n-----END RSA PRIVATE KEY-----",
            id="a private key",
        ),
        pytest.param(
            "-----BEGIN PRIVATE KEY-----\nx", "-----BEGIN PRIVATE KEY-----\nx", id="half a key"
        ),
        pytest.param(f"AKIA{'A' * 16} {A40}", "AKIA*** [REDACTED]", id="an AWS pair"),
        pytest.param(f"AWS_secret_access_key={A40}", "AWS_secret_access_key=[REDACTED]", id="AWS"),
        pytest.param(
            f"ghp_{'a' * 20} github_pat_{'b' * 20}", "ghp_*** github_pat_***", id="GitHub"
        ),
        pytest.param("whsec_0123456789 sk_live_0123456789", "whsec_*** sk_live_***", id="Stripe"),
        pytest.param("bearer aa.bb.cc", "bearer [REDACTED]", id="a bearer"),
        pytest.param(
            f"eyJ{SECOND_PART}.{SECOND_PART}.{SECOND_PART} eyJab.cd.ef",
            "[REDACTED] eyJab.cd.ef",
            id="a web token",
        ),
        pytest.param(
            f"eyJab.eyJ{SECOND_PART}.{SECOND_PART}.{SECOND_PART}",
            "eyJab.[REDACTED]",
            id="a web token behind an unknown part",
        ),
        pytest.param(f"private_key: 0x{'aB' * 32}", "private_key: [REDACTED]", id="a hex key"),
        pytest.param(
            f"sk-ant-a sk-ant- task-{'x' * 20} sk-{'y' * 19}",
            f"sk-ant-*** sk-ant- task-*** sk-{'y' * 19}",
            id="models",
        ),
        pytest.param("AIzaX", "AIza***", id="Gemini"),
    ],
)
def test_text_is_cleaned(text: str, shown: str) -> None:
    assert sanitized(text) == shown


def test_keys_stay_where_they_are_not_masked() -> None:
    assert sanitized("a\u200bb AIzaX", masks_keys=False) == "ab AIzaX"


@pytest.mark.parametrize("unit", ["eyJ-", "\x1b]", "-----BEGIN PRIVATE KEY-----", "sk-", "AIza"])
def test_repeated_beginnings_are_read_once(unit: str) -> None:
    assert len(sanitized(unit * 100_000)) <= len(unit) * 100_000


@pytest.mark.parametrize(
    ("path", "is_hidden"), [("a b/é.txt", False), ("a\tb", True), ("a\u200bb", True)]
)
def test_a_path_is_searched_for_what_hides(path: str, is_hidden: bool) -> None:
    assert is_hidden_in_path(path) is is_hidden
