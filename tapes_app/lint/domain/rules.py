"""Rules that a person writes: when something must, may or must not happen on a tape.

    always CONDITION
    never CONDITION
    CONDITION before CONDITION
    CONDITION within K steps of CONDITION

Whoever reads the conditions defines them (breakpoints use the same ones); this module knows the
words around them, their meaning, and the position of each part in the text.
"""

import difflib
import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from typing import Literal, NamedTuple

from tapes_app.engine.errors import InvalidInputError
from tapes_app.lint.domain.findings import Found

RuleForm = Literal["always", "never", "before", "within"]

LONGEST_RULE = 2_000
FARTHEST = 1_000_000
MOST_FINDINGS = 20
"""How many steps of one tape a rule reports; the last finding contains how many more there are."""

_HELP = "write it like: never kind == 'tool' && is_error"


class RuleError(InvalidInputError):
    """A rule cannot be parsed.

    `details["position"]` is the character where it goes wrong, `details["suggestion"]` the probable
    correction, empty if there is none.
    """

    code = "rule_invalid"


def rule_error(message: str, position: int, suggestion: str = "") -> RuleError:
    return RuleError(message, position=position, suggestion=suggestion)


class Part(NamedTuple):
    """A condition of a rule and where it begins in the rule's text."""

    text: str
    start: int


class Rule(NamedTuple):
    """A rule as written; `second` and `distance` belong to `before` and `within`."""

    form: RuleForm
    first: Part
    second: Part | None = None
    distance: int = 0
    """Maximum distance in steps, for `within`; 1 is the next or the previous step."""


Holds = Callable[[str, int], bool]
"""Returns whether a condition (its text) holds for the step at a position."""


class _Word(NamedTuple):
    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def read_rule(text: str) -> Rule:
    """Return the form of a rule and its conditions, which are not parsed yet.

    Raises:
        RuleError: it has none of the four forms, or a part is missing.
    """
    if len(text) > LONGEST_RULE:
        raise rule_error(f"A rule can have at most {LONGEST_RULE:,} characters.", LONGEST_RULE)
    words = list(_words(text))
    if not words:
        raise rule_error(f"The rule is empty; {_HELP}.", 0)
    if words[0].text in ("always", "never"):
        form: RuleForm = "always" if words[0].text == "always" else "never"
        return Rule(form, _part(text, words[0].end, len(text), f"after {words[0].text!r}"))
    middles = [word for word in words if word.text in ("before", "within")]
    if not middles:
        raise _no_form(words)
    middle = middles[0]
    if len(middles) > 1:
        second = middles[1]
        raise rule_error(
            "A rule can have only one 'before' or 'within', and there is a second one at "
            f"character {second.start + 1}; write two rules.",
            second.start,
        )
    first = _part(text, 0, middle.start, f"before {middle.text!r}")
    if middle.text == "before":
        return Rule("before", first, _part(text, middle.end, len(text), "after 'before'"))
    distance, end = _read_distance(text, middle.end)
    return Rule("within", first, _part(text, end, len(text), "after 'steps of'"), distance)


def find_broken(rule: Rule, holds: Holds, step_count: int) -> Iterator[Found]:
    """Find the steps at which a rule is broken."""
    match rule.form:
        case "always":
            broken = [at for at in range(step_count) if not holds(rule.first.text, at)]
            yield from _report(
                broken,
                "This step does not meet the condition that the rule requires of every step.",
            )
        case "never":
            broken = [at for at in range(step_count) if holds(rule.first.text, at)]
            yield from _report(broken, "This step is what the rule forbids.")
        case "before" | "within":
            assert rule.second is not None, "these forms have two conditions"
            wanted = [at for at in range(step_count) if holds(rule.first.text, at)]
            occasions = [at for at in range(step_count) if holds(rule.second.text, at)]
            if rule.form == "before":
                broken = [at for at in occasions if not wanted or wanted[0] >= at]
                yield from _report(
                    broken, "No step before this one meets the rule's first condition."
                )
            else:
                broken = [at for at in occasions if not _is_near(wanted, at, rule.distance)]
                yield from _report(
                    broken,
                    f"No step within {rule.distance} steps of this one meets the rule's first "
                    "condition.",
                )


def _report(broken: Sequence[int], message: str) -> Iterator[Found]:
    shown = broken[:MOST_FINDINGS]
    for index, at in enumerate(shown):
        rest = len(broken) - len(shown) if index + 1 == len(shown) else 0
        more = f" {rest} more steps break the rule." if rest else ""
        yield Found(at, message + more)


def _is_near(places: Sequence[int], at: int, distance: int) -> bool:
    index = bisect_left(places, at - distance)
    return index < len(places) and places[index] <= at + distance


_TOKEN = re.compile(
    # An unclosed quote extends to the end of the text, so that nothing is scanned twice.
    r"""(?s)(?:'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`|['"`].*|[A-Za-z_]\w*|\S)"""
)


def _words(text: str) -> Iterator[_Word]:
    """Yield the words and signs outside of quotes, and each quoted text as one."""
    for match in _TOKEN.finditer(text):
        yield _Word(match.group(), match.start())


def _part(text: str, start: int, end: int, where: str) -> Part:
    part = text[start:end]
    stripped = part.strip()
    if not stripped:
        at = min(len(text), start + len(part))
        raise rule_error(f"A condition is missing {where}, at character {at + 1}; {_HELP}.", at)
    return Part(stripped, start + len(part) - len(part.lstrip()))


def _read_distance(text: str, start: int) -> tuple[int, int]:
    match = re.compile(r"\s*(\d+)\s+steps?\s+of\b").match(text, start)
    if match is None:
        at = start + len(text[start:]) - len(text[start:].lstrip())
        raise rule_error(
            f"'within' must be followed by a number and 'steps of', at character {at + 1}; for "
            "example: kind == 'tool' within 2 steps of kind == 'assistant'.",
            at,
            "within 2 steps of",
        )
    distance = int(match[1]) if len(match[1]) <= len(str(FARTHEST)) else FARTHEST + 1
    if not 1 <= distance <= FARTHEST:
        raise rule_error(f"'within' must be 1 to {FARTHEST:,} steps.", match.start(1))
    return distance, match.end()


def _no_form(words: Sequence[_Word]) -> RuleError:
    for word in words:
        if word.text in _SPOKEN_OF_STEPS:
            continue
        close = difflib.get_close_matches(word.text, _FORM_WORDS, n=1, cutoff=0.7)
        if close:
            return rule_error(
                f"Unknown word {word.text!r} at character {word.start + 1}; did you mean "
                f"{close[0]!r}?",
                word.start,
                close[0],
            )
    return rule_error(
        "A rule must start with 'always' or 'never', or have 'before' or 'within … steps of' "
        f"between two conditions; {_HELP}.",
        0,
        "never",
    )


_FORM_WORDS = ("always", "never", "before", "within")
_SPOKEN_OF_STEPS = frozenset({"kind", "node", "agent", "family", "content", "writer"})
