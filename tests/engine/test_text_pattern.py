"""People's regular expressions: linear in time, bounded in memory, refused by name."""

import pytest

from tapes_app.engine.errors import InvalidInputError
from tapes_app.engine.text_pattern import LONGEST_PATTERN, PatternCostError, compile_pattern


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("", "Enter a regular expression"),
        ("a" * (LONGEST_PATTERN + 1), "at most 1,000 characters"),
        ("(", r"is invalid: missing \): \("),
        ("[z-a]", "is invalid: invalid character class range: z-a"),
        ("\ud800", "is invalid: half a character"),
        (r"end\Z", r"is invalid: .*; write \\z"),
        ("a{1000000000}", "up to 1,000 times"),
        ("(a{100}){100}", "up to 1,000 times"),
        ("a{,5}", r"write repetition counts as \{0,5\}"),
        (r"(\pL?){900}", "is too large"),
        ("a(?=b)", r"uses lookahead \(\(\?=\)"),
        ("a(?!b)", "uses lookahead"),
        ("(?<=a)b", "uses lookbehind"),
        ("(?<!a)b", "uses lookbehind"),
        (r"(a)\1", r"uses references to groups \(\\1\)"),
        ("(?P<n>a)(?P=n)", "uses references to groups"),
        ("(?>a)", "uses atomic groups"),
        ("a++", "uses possessive repetition"),
        ("(a)(?(1)b|c)", "uses conditions"),
        ("(?R)", "uses recursion"),
    ],
)
def test_what_cannot_be_run_is_refused_with_a_reason(pattern: str, words: str) -> None:
    with pytest.raises(InvalidInputError, match=words):
        compile_pattern(pattern)


@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|aa|a?a)+$", "(.*)(.*)(.*)(.*)!", r"\s+$"])
def test_a_pattern_that_explodes_elsewhere_is_linear(pattern: str) -> None:
    assert not compile_pattern(pattern).is_in("a" * 1_000_000 + "b" + " " * 1_000_000 + "c")


def test_a_pattern_too_large_for_a_text_is_refused_before_it_runs() -> None:
    pattern = compile_pattern("a[ab]{900}c")

    assert not pattern.is_in("ab" * 1_000)
    with pytest.raises(PatternCostError, match="too large for a text of 2,000,000 characters"):
        pattern.is_in("ab" * 1_000_000)


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        ("ZÜRICH", "in Zürich", ["Zürich"]),
        (r"\b\d{3}\b", "ö 123 1234 456", ["123", "456"]),
        (r"(?m)^\pL+$", "Bär\n42\n東京", ["Bär", "東京"]),
        ("x?", "xa", ["x", "", ""]),
        ("b", "\ud800b", ["b"]),
        ("😀.", "a😀b", ["😀b"]),
    ],
)
def test_matches_are_found_where_they_stand(pattern: str, text: str, found: list[str]) -> None:
    matches = list(compile_pattern(pattern, ignore_case=True).find_all(text))

    assert [text[match.start : match.end] for match in matches] == found
