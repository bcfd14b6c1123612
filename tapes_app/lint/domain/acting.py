"""Detectors about actions and their results."""

from collections.abc import Iterator
from typing import Any

from tapes_app.engine.model.messages import digest_json
from tapes_app.engine.tape.control_steps import CALL_TOGETHER
from tapes_app.engine.tape.dialog_steps import deed_content
from tapes_app.engine.tape.steps import UnknownStep
from tapes_app.lint.domain.findings import Found
from tapes_app.lint.domain.reading import Exchange, Reading, is_talk
from tapes_app.lint.domain.words import speaks_of_failure

LOOP_LENGTH = 3
"""This many rounds of the same actions with the same outcomes count as a loop."""

LONGEST_CYCLE = 3
MIN_NEW_WORDS = 3
"""An observation with fewer new words is an acknowledgement, which nobody needs to use."""


def find_repeated_actions(reading: Reading) -> Iterator[Found]:
    """Find actions, or cycles of up to three, repeated with the same outcome."""
    by_agent: dict[str, list[_Round]] = {}
    for item in _by_step(reading.exchanges):
        agent = reading.steps[item[0].position].metadata.agent
        by_agent.setdefault(agent, []).append(_Round(reading, item))
    for rounds in by_agent.values():
        for length in range(1, LONGEST_CYCLE + 1):
            yield from _find_cycles(rounds, length)


def find_unfulfilled_actions(reading: Reading) -> Iterator[Found]:
    """Find actions without an answer. A message to a person needs none.

    Actions of unknown kinds are reported only if their kind was answered elsewhere on the tape.
    """
    answered = {item.step.kind for item in reading.exchanges if item.answers}
    for item in reading.exchanges:
        if item.answers or is_talk(item.step):
            continue
        if isinstance(item.step, UnknownStep) and item.step.kind not in answered:
            continue
        what, field = _name(item)
        is_end = not any(
            family == "observation" or reading.steps[at].metadata.agent
            for at, family in enumerate(reading.families[item.position + 1 :], item.position + 1)
            if family != "control"
        )
        rest = "the tape ends here" if is_end else "the tape continues without one"
        yield Found(item.position, f"The {what} has no observation: {rest}.", field)


def find_unhandled_errors(reading: Reading) -> Iterator[Found]:
    """Find errors after which the agent neither did something nor mentioned that it went wrong."""
    admits_after = _last_admission(reading)
    for number, (_, middle, end) in enumerate(reading.turns):
        errors = [at for at in range(middle, end) if reading.is_error(at)]
        if not errors:
            continue
        if number + 1 == len(reading.turns):
            yield Found(errors[-1], "The tape ends at this error: no agent handled it.")
            continue
        start, stop, _ = reading.turns[number + 1]
        if any(_does_something(reading, at) for at in range(start, stop)):
            continue
        for at in errors:
            if at < admits_after or _is_mentioned(reading, at):
                continue
            yield Found(
                at,
                "After this error the agent gave its answer without retrying, trying something "
                "else or mentioning the error.",
            )


def find_unused_observations(reading: Reading) -> Iterator[Found]:
    """Find tools' answers none of whose new words any agent uses later.

    Only on a tape that has reached its answer, and only after the last place where an agent admits
    that it found nothing.
    """
    if reading.answer is None:
        return  # it may still be used
    admits_after = _last_admission(reading)
    first_used: dict[str, int] = {}
    last_used: dict[str, int] = {}
    last_agent_step = -1
    for at, stems in enumerate(reading.stems):
        is_answer = reading.families[at] == "observation"
        if not is_answer or reading.is_from_person(at):
            for stem in stems:
                first_used.setdefault(stem, at)
        if not is_answer:
            last_agent_step = at
            last_used.update(dict.fromkeys(stems, at))
    for item in reading.exchanges:
        if is_talk(item.step):
            continue
        for at in item.answers:
            if not admits_after < at < last_agent_step:
                continue
            if reading.is_error(at) or reading.is_from_person(at):
                continue
            new = [stem for stem in reading.stems[at] if first_used.get(stem, at) >= at]
            if len(new) >= MIN_NEW_WORDS and not any(last_used.get(stem, -1) > at for stem in new):
                what, _ = _name(item)
                yield Found(at, f"No later step by an agent uses the result of this {what}.")


class _Round:
    """A step that acts, in the form that the search for loops compares."""

    def __init__(self, reading: Reading, items: list[Exchange]) -> None:
        self.position = items[0].position
        self.action = tuple(_key(item) for item in items)
        self.outcome = tuple(
            _content_key(reading, at) for item in items for at in sorted(item.answers)
        )
        self.is_open = not any(item.answers for item in items)
        self.name = _name(items[0])[0]

    def repeats(self, other: "_Round") -> bool:
        return self.action == other.action and (self.is_open or self.outcome == other.outcome)


def _find_cycles(rounds: list[_Round], length: int) -> Iterator[Found]:
    run = 0
    for index in range(length, len(rounds) + 1):
        if index < len(rounds) and rounds[index].repeats(rounds[index - length]):
            run += 1
            continue
        if run >= length * (LOOP_LENGTH - 1):
            cycle = rounds[index - length : index]
            if len({round_.action for round_ in cycle}) == length:
                begin = index - length - run
                yield _describe_loop(rounds, begin, length, run // length + 1)
        run = 0


def _describe_loop(rounds: list[_Round], begin: int, length: int, times: int) -> Found:
    position = rounds[begin + length * (LOOP_LENGTH - 1)].position
    first = rounds[begin].position
    if length == 1:
        subject = f"The {rounds[begin].name} was repeated"
        return Found(
            position, f"{subject} {times} times with the same outcome, starting at step {first}."
        )
    return Found(
        position,
        f"The same {length} actions were repeated {times} times with the same outcomes, "
        f"starting at step {first}.",
    )


def _by_step(exchanges: list[Exchange]) -> Iterator[list[Exchange]]:
    group: list[Exchange] = []
    for item in exchanges:
        if group and group[0].position != item.position:
            yield group
            group = []
        group.append(item)
    if group:
        yield group


def _key(item: Exchange) -> bytes:
    if item.call is None:
        return digest_json(deed_content(item.step))
    try:
        arguments: Any = item.call.parsed_arguments()
    except (ValueError, RecursionError):
        arguments = item.call.function.arguments
    return digest_json([item.call.function.name, arguments])


def _content_key(reading: Reading, position: int) -> bytes:
    ignored = ("metadata", "tool_call_id")
    body = reading.bodies[position]
    return digest_json({key: value for key, value in body.items() if key not in ignored})


def _name(item: Exchange) -> tuple[str, str]:
    """Return how a sentence names an action, and the field with its name."""
    if item.call is None:
        return f"action {item.step.kind!r}", ""
    return f"call of {item.call.function.name!r}", f"/tool_calls/{item.call_index}"


def _does_something(reading: Reading, position: int) -> bool:
    """Return whether a step asks for more, rather than answering or ending."""
    step = reading.steps[position]
    if step.kind in ("call", CALL_TOGETHER):
        return True
    return (
        reading.families[position] == "action"
        and not is_talk(step)
        and not reading.is_stop(position)
        and "answer" not in step.kind
    )


def _last_admission(reading: Reading) -> int:
    """Return the last position at which an agent admits that something did not work, or -1."""
    for at in range(len(reading.steps) - 1, -1, -1):
        if reading.families[at] != "observation" and speaks_of_failure(reading.texts[at]):
            return at
    return -1


def _is_mentioned(reading: Reading, position: int) -> bool:
    """Return whether an agent uses a word that was new in the error."""
    before = set().union(*reading.stems[:position])
    new = reading.stems[position] - before
    return any(
        new & reading.stems[at]
        for at in range(position + 1, len(reading.steps))
        if reading.families[at] != "observation"
    )
