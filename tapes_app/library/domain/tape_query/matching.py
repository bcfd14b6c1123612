"""Finding a sequence of steps on a tape: one pass over what the store knows of each step."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tapes_app.library.domain.tape_query.conditions import StepPattern, StepTest
from tapes_app.library.domain.tape_query.fields import FAMILIES

FINAL_KINDS = ("final_step", "final_answer", "final_answer_action")


@dataclass(frozen=True, slots=True)
class StepFacts:
    """What is known about a step."""

    kind: str
    family: str
    node: str
    agent: str
    is_error: bool
    tools: tuple[str, ...]
    """The tools that it calls."""

    call: str
    """Digest of an action's kind and arguments; empty if the step is not an action."""


def find_sequence(
    patterns: Sequence[StepPattern], steps: Sequence[StepFacts]
) -> tuple[int, ...] | None:
    """Return the positions of the first steps that match the patterns in order, or `None`."""
    repeats = _repeats(steps)
    # For each step, where the previous pattern matched; the latest match is as good as any.
    previous: list[list[int]] = []
    reachable = [True] * len(steps)
    for index, pattern in enumerate(patterns):
        holds = [
            reachable[at] and _holds(pattern, steps, at, is_repeat=repeats[at])
            for at in range(len(steps))
        ]
        before = [-1] * len(steps)
        if index + 1 == len(patterns):
            return _walk_back(previous, holds)
        following = patterns[index + 1]
        reachable = [False] * len(steps)
        latest = -1
        for at in range(len(steps)):
            is_near = following.within is None or at - latest <= following.within
            if latest >= 0 and is_near:
                reachable[at], before[at] = True, latest
            if holds[at]:
                latest = at
        previous.append(before)
    return None


def _walk_back(previous: list[list[int]], holds: list[bool]) -> tuple[int, ...] | None:
    if True not in holds:
        return None
    found = [holds.index(True)]
    for before in reversed(previous):
        found.append(before[found[-1]])
    return tuple(reversed(found))


def _repeats(steps: Sequence[StepFacts]) -> list[bool]:
    """Return for each step whether it is the same call as the action before it."""
    found: list[bool] = []
    last = ""
    for step in steps:
        found.append(bool(step.call) and step.call == last)
        last = step.call or last
    return found


def _holds(pattern: StepPattern, steps: Sequence[StepFacts], at: int, *, is_repeat: bool) -> bool:
    is_last = at + 1 == len(steps)
    return all(
        _is_true(test, steps[at], is_repeat=is_repeat, is_last=is_last) is not test.is_negated
        for test in pattern.tests
    )


def _is_true(test: StepTest, step: StepFacts, *, is_repeat: bool, is_last: bool) -> bool:
    if test.name in FAMILIES:
        return step.family == test.name
    match test.name:
        case "error":
            return step.is_error
        case "tool_error":
            return step.is_error and step.family == "observation"
        case "same_call":
            return is_repeat
        case "final_answer":
            return is_final(step, is_last=is_last)
        case _:
            return _VALUE_TESTS[test.name](step, test.values)


def is_final(step: StepFacts, *, is_last: bool) -> bool:
    """Return whether a tape ends properly on this step: no error, and no call of a tool."""
    if step.kind in FINAL_KINDS:
        return True
    return is_last and step.family != "observation" and not step.is_error and not step.tools


_VALUE_TESTS: dict[str, Callable[[StepFacts, tuple[str, ...]], bool]] = {
    "kind": lambda step, values: step.kind in values,
    "node": lambda step, values: step.node in values,
    # "analyst" means the agent itself and each of its parts, like the list's agent field.
    "agent": lambda step, values: any(
        step.agent == value or step.agent.startswith(f"{value}/") for value in values
    ),
    "tool": lambda step, values: any(tool in values for tool in step.tools),
}
