"""Conditions of breakpoints, lint rules and tool rules: JMESPath over JSON, bounded in cost."""

import difflib
import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, get_args

import jmespath
from jmespath.exceptions import JMESPathError, ParseError
from jmespath.functions import Functions
from jmespath.parser import ParsedResult

from tapes_app.engine.errors import InvalidInputError
from tapes_app.engine.tape.families import Family

LONGEST_CONDITION = 1_000
MOST_BUILT = 3
"""Lists and objects that a condition may build: each may double the size of the previous one."""


class ConditionError(InvalidInputError):
    """A condition cannot be parsed, or cannot mean what it states.

    `details["position"]` is the character where it goes wrong, `details["suggestion"]` the probable
    correction, empty if there is none.
    """

    code = "condition_invalid"


@lru_cache(maxsize=256)
def compile_condition(text: str) -> ParsedResult:
    """Return a condition compiled for evaluation.

    Raises:
        ConditionError: it is not a JMESPath expression, or it exceeds a limit.
    """
    if len(text) > LONGEST_CONDITION:
        raise ConditionError(
            f"A condition can have at most {LONGEST_CONDITION:,} characters.",
            position=LONGEST_CONDITION,
            suggestion="",
        )
    try:
        condition = jmespath.compile(text)
    except ParseError as error:
        position = max(0, min(int(error.lex_position), len(text)))
        raise _slip(text) or _unreadable(f"at character {position + 1}", position) from error
    except RecursionError as error:
        raise _unreadable("because it is nested too deeply", 0) from error
    except (JMESPathError, ValueError) as error:
        raise _slip(text) or _unreadable("because it is empty or incomplete", 0) from error
    _check_parts(text, list(_walk(condition.parsed)))
    return condition


def condition_holds(text: str, step: Mapping[str, Any]) -> bool:
    """Return whether a condition holds for a step; one that cannot be evaluated does not.

    As in JMESPath, null, false and empty values are false, and every number is true.
    """
    try:
        found = compile_condition(text).search(step)
    except (JMESPathError, ValueError, TypeError, ArithmeticError, RecursionError):
        return False
    return is_true(found)


def is_true(found: Any) -> bool:
    """Return whether the value of a condition counts as true: every number does."""
    return bool(found) or (isinstance(found, int | float) and not isinstance(found, bool))


def _unreadable(where: str, position: int) -> ConditionError:
    return ConditionError(
        f"The condition cannot be parsed {where}; write it like: kind == 'tool' && is_error.",
        position=position,
        suggestion="",
    )


_QUOTED = re.compile(
    # An unclosed quote extends to the end of the text, so that nothing is scanned twice.
    r"(?s)'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`|['`].*"
)


def _slip(text: str) -> ConditionError | None:
    """Return an error with the correction if a condition uses another language's syntax."""
    bare = _QUOTED.sub(lambda match: " " * len(match.group()), text)
    for pattern, make in _SLIPS:
        match = pattern.search(bare)
        if match is not None:
            matched = match[1]
            message, suggestion = make(matched)
            return ConditionError(
                f"{message} (character {match.start(1) + 1}).",
                position=match.start(1),
                suggestion=suggestion,
            )
    return None


_SLIPS: tuple[tuple[re.Pattern[str], Callable[[str], tuple[str, str]]], ...] = (
    (re.compile(r"(?<![=!<>])(=)(?!=)"), lambda _: ("Write 'equal' as '=='", "==")),
    (re.compile(r"\b(and)\b"), lambda _: ("Write 'and' as '&&'", "&&")),
    (re.compile(r"\b(or)\b"), lambda _: ("Write 'or' as '||'", "||")),
    (re.compile(r"\b(not)\s"), lambda _: ("Write 'not' as '!'", "!")),
    (
        re.compile(r"[=<>]\s*(-?\d+(?:\.\d+)?)"),
        lambda number: (f"Write a number in backticks: `{number}`", f"`{number}`"),
    ),
)


def _check_parts(text: str, nodes: list[dict[str, Any]]) -> None:
    for node in nodes:
        name = node.get("value")
        if node.get("type") == "function_expression" and name not in Functions.FUNCTION_TABLE:
            near = difflib.get_close_matches(str(name), Functions.FUNCTION_TABLE, n=1)
            raise ConditionError(
                f"There is no function {name!r} for conditions; available: "
                f"{', '.join(sorted(Functions.FUNCTION_TABLE))}.",
                position=max(0, text.find(str(name))),
                suggestion=near[0] if near else "",
            )
        if node.get("type") == "comparator":
            _check_comparison(text, *node["children"])
    if sum(node.get("type") in _BUILDERS for node in nodes) > MOST_BUILT:
        raise ConditionError(
            f"A condition may build at most {MOST_BUILT} lists or objects; simplify it.",
            position=0,
            suggestion="",
        )


_BUILDERS = {"multi_select_list", "multi_select_dict"}
_NAMES = {"kind", "family", "agent", "node", "writer"}
"""Fields that hold a name, which is never compared with another field."""


def _check_comparison(text: str, left: dict[str, Any], right: dict[str, Any]) -> None:
    """Refuse a name without quotes: it would be read as a field and never be equal."""
    if left.get("type") != "field" or left.get("value") not in _NAMES:
        return
    value = str(right.get("value"))
    if right.get("type") == "field":
        found = re.search(rf"=\s*(\"?{re.escape(value)}\"?)", text)
        raise ConditionError(
            f"Write text in single quotes: '{value}' (character "
            f"{found.start(1) + 1 if found else 1}).",
            position=found.start(1) if found else 0,
            suggestion=f"'{value}'",
        )
    if left.get("value") == "family" and value not in get_args(Family):
        near = difflib.get_close_matches(value, get_args(Family), n=1)
        raise ConditionError(
            f"There is no family {value!r}; available: {', '.join(get_args(Family))}.",
            position=max(0, text.find(value)),
            suggestion=f"'{near[0]}'" if near else "",
        )


def _walk(tree: Any) -> Iterator[dict[str, Any]]:
    left = [tree]
    while left:
        node = left.pop()
        if isinstance(node, dict):
            yield node
            left += node.get("children", ())
