"""Reuse: take over a tape by rebuilding each step as this agent would have written it.

The tape may come from another agent or a person. The model outputs that would have led to its steps
are rebuilt with `make_llm_output` and checked by generating the steps from them again, so a reused
tape is a valid tape of the new agent, with LLM calls to train on (paper 2.2.2, 2.4.1).
"""

import json
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.agent.node_code import make_prompt, select_on
from tapes_app.engine.agent.replay import diff_json
from tapes_app.engine.agent.resume import regenerate_steps
from tapes_app.engine.errors import ReuseError, StudioError
from tapes_app.engine.frozen_model import new_id
from tapes_app.engine.model.llm import LLMCall, LLMOutput
from tapes_app.engine.model.reasoning import reasoning_of
from tapes_app.engine.tape.lanes import find_lane, put_in_lane
from tapes_app.engine.tape.steps import Step, family_of
from tapes_app.engine.tape.tape import Tape


class ReusedTape(NamedTuple):
    """The tape in the new agent's name, and the calls that would have produced it."""

    tape: Tape
    calls: tuple[LLMCall, ...]


async def reuse_tape(agent: Agent, tape: Tape) -> ReusedTape:
    """Return the tape as if `agent` had written its agent steps; observations are kept.

    Raises:
        ReuseError: the agent cannot or would not write those steps; `details` has the position,
            a diff, and the partial tape as JSON.
    """
    done = tape.with_steps((), author=agent.name)
    calls: list[LLMCall] = []
    while len(done) < len(tape):
        following = tape.steps[len(done)]
        if family_of(following) == "observation":
            done = done.append(following)
            continue
        steps, call = await reuse_node_run(agent, done, tape)
        if call is not None:
            calls.append(call)
        done = done.append(*steps)
    return ReusedTape(done, tuple(calls))


async def reuse_node_run(
    agent: Agent, done: Tape, tape: Tape
) -> tuple[tuple[Step, ...], LLMCall | None]:
    """Return the steps of `tape` right after those in `done` as `agent` would write them.

    Also return the call that would have produced them; `None` when the node asks no model.

    Raises:
        ReuseError: as for `reuse_tape`.
    """
    position = len(done)
    try:
        if not tape[position].metadata.lane:
            return await _rebuild(agent, done, tape)
        # The steps before are the agent's own by now, and as many as on the tape.
        known = tape.with_steps((*done.steps, *tape.steps[position:]), author=agent.name)
        lane, start = find_lane(known, position)
        steps, call = await _rebuild(agent, lane.tape.fork(start), lane.tape)
        return tuple(put_in_lane(step, lane.path) for step in steps), call
    except _Misfit as misfit:
        raise _mismatch(done, position + misfit.offset, misfit.reason, misfit.diff) from misfit
    except (StudioError, ValueError, LookupError) as error:
        raise _mismatch(done, position, str(error), "") from error


async def _rebuild(agent: Agent, done: Tape, tape: Tape) -> tuple[tuple[Step, ...], LLMCall | None]:
    position = len(done)
    selection = select_on(agent, done)
    prompt = make_prompt(selection, done, prompt_id=new_id())
    output = (
        selection.node.make_llm_output(selection.agent, tape, position) if prompt else LLMOutput()
    )
    steps = await regenerate_steps(selection, done, prompt, output)
    written = map(reasoning_of, tape.steps[position : position + len(steps)])
    thought = next(filter(None, written), {})
    if prompt and thought and not reasoning_of(output):
        # Nodes know nothing of reasoning: the engine keeps it, and so restores it.
        output = output.model_copy(update=thought)
        steps = await regenerate_steps(selection, done, prompt, output)
    _check_same(tape.steps[position : position + len(steps)], steps)
    if not prompt:
        return steps, None
    llm = selection.agent.llms.get(selection.node.llm)
    described = llm.describe() if llm is not None else {}
    return steps, LLMCall(prompt=prompt, output=output, llm=described)


class _Misfit(Exception):  # noqa: N818 - never leaves this module
    """A step that the agent would write differently, `offset` steps into its node run."""

    def __init__(self, offset: int, reason: str, diff: str = "") -> None:
        super().__init__(reason)
        self.offset = offset
        self.reason = reason
        self.diff = diff


def _check_same(expected: Sequence[Step], steps: Sequence[Step]) -> None:
    if not steps:
        raise _Misfit(0, "The node would write no step here.")
    for offset, step in enumerate(steps):
        old = comparable(expected[offset]) if offset < len(expected) else None
        new = comparable(step)
        if old != new:
            reason = "The agent would write a different step here."
            raise _Misfit(offset, reason, diff_json(old, new, "tape", "agent"))


def _mismatch(done: Tape, position: int, message: str, diff: str) -> ReuseError:
    return ReuseError(
        f"The tape cannot be reused from step {position} on: {message}",
        position=position,
        diff=diff,
        partial_tape=done.to_json(),
    )


def comparable(step: Step) -> dict[str, Any]:
    """Return a step without metadata and tool-call ids, with JSON arguments parsed."""
    data = step.content_dict()
    calls = data.get("tool_calls")
    if isinstance(calls, list):
        data["tool_calls"] = [_comparable_call(call) for call in calls]
    data.pop("tool_call_id", None)
    return data


def _comparable_call(call: Any) -> Any:
    if not isinstance(call, dict) or not isinstance(call.get("function"), dict):
        return call
    function = dict(call["function"])
    arguments = function.get("arguments")
    if isinstance(arguments, str):
        with suppress(ValueError):
            function["arguments"] = json.loads(arguments)
    return {**{key: value for key, value in call.items() if key != "id"}, "function": function}
