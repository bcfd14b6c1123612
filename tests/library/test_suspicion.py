"""Which step is suspected: findings by how grave they are, ways by where they part."""

from hypothesis import given
from hypothesis import strategies as st

from tapes_app.library.domain.suspicion import (
    PathSign,
    find_divergence_from_passed,
    gravest_finding,
)
from tapes_app.lint.domain.findings import SEVERITIES, Finding

SIGNS = st.builds(
    PathSign,
    kind=st.sampled_from(["thought", "call"]),
    node=st.sampled_from(["plan", "act"]),
    call=st.sampled_from(["", "a"]),
    is_error=st.booleans(),
    is_by_agent=st.booleans(),
)
PATHS = st.lists(SIGNS, max_size=6)
FINDINGS = st.builds(
    Finding,
    detector=st.just("d"),
    severity=st.sampled_from(SEVERITIES),
    position=st.integers(0, 9),
    message=st.just("It is odd."),
)


def path(word: str) -> list[PathSign]:
    return [PathSign("call", "act", letter, is_error=False) for letter in word]


@given(st.lists(FINDINGS, max_size=5))
def test_no_finding_is_graver_or_as_grave_and_earlier(findings: list[Finding]) -> None:
    chosen = gravest_finding(findings)

    assert (chosen is None) == (not findings)
    for finding in findings:
        assert chosen is not None
        place = (SEVERITIES.index(chosen.severity), chosen.position)
        assert place <= (SEVERITIES.index(finding.severity), finding.position)


@given(PATHS, st.lists(PATHS, max_size=4))
def test_up_to_the_parting_somebody_who_passed_went_the_same_way(
    own: list[PathSign], passed: list[list[PathSign]]
) -> None:
    at = find_divergence_from_passed(own, passed)

    if at is None:
        # None passed, the agent did nothing, or one of them went this way to its end.
        has_acted = any(sign.is_by_agent for sign in own)
        assert not passed or not has_acted or any(other == own for other in passed)
    else:
        assert 0 <= at < len(own)
        assert any(other[:at] == own[:at] for other in passed)
        # Nobody came as far and ended there.
        assert all(other != own for other in passed)
        is_early_end = at == len(own) - 1 and any(
            other[: len(own)] == own and len(other) > len(own) for other in passed
        )
        assert is_early_end or all(other[: at + 1] != own[: at + 1] for other in passed)


def test_a_tape_parts_where_the_last_of_those_that_passed_leaves_it() -> None:
    assert find_divergence_from_passed(path("abxd"), [path("abcd"), path("acd")]) == 2
    assert find_divergence_from_passed(path("abc"), [path("abcde")]) == 2
    assert find_divergence_from_passed(path("abcde"), [path("abc")]) == 3
    assert find_divergence_from_passed(path("abc"), [path("xyz"), path("abc")]) is None
    assert find_divergence_from_passed(path("abc"), []) is None
