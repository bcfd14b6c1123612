"""Resuming a tape that was cut in the middle of a node run (paper 2.4.1)."""

from collections.abc import AsyncGenerator, Mapping, Sequence

from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.agent.node_code import generate_steps, make_prompt
from tapes_app.engine.agent.selection import Selection
from tapes_app.engine.errors import AgentCodeError, DelegationError, NodeStepError, StudioError
from tapes_app.engine.model.llm import LLMOutput, Prompt, replayed_stream
from tapes_app.engine.tape.dialog_steps import matches_recording
from tapes_app.engine.tape.lanes import find_lane, put_in_lane
from tapes_app.engine.tape.steps import PartialStep, Step
from tapes_app.engine.tape.tape import Tape


async def missing_steps(
    agent: Agent, tape: Tape, recorded_outputs: Mapping[str, LLMOutput]
) -> tuple[Step, ...]:
    """Return the steps that the last node run has yet to add to the tape; in its lane, if any.

    The node generates again from its recorded output; if the steps on the tape are the first of the
    result, the rest is missing. For an edited run, an unknown node or a missing recording, nothing
    is: the tape is taken as it is.

    Raises:
        AgentCodeError, NodeStepError: the node's code failed right after the steps on the tape, and
            still does.
    """
    if tape.steps and tape[-1].metadata.lane:
        try:
            lane, _ = find_lane(tape, len(tape) - 1)
        except DelegationError:
            return ()
        missing = await missing_steps(agent, lane.tape, recorded_outputs)
        return tuple(put_in_lane(step, lane.path) for step in missing)
    start = last_node_run_start(tape)
    if start is None:
        return ()
    first = tape.steps[start].metadata
    try:
        member = agent.find_subagent(first.agent.partition("/")[2])
    except StudioError:
        return ()
    node = member.find_node(first.node)
    if node is None:
        return ()
    before, present = tape.fork(start), tape.steps[start:]
    selection = Selection(member, first.agent, node)
    output = recorded_outputs.get(first.prompt_id)
    steps: list[Step] = []
    try:
        prompt = make_prompt(selection, before, prompt_id=first.prompt_id)
        if prompt and output is None:
            return ()
        async for step in _regenerate(selection, before, prompt, output or LLMOutput()):
            steps.append(step)  # noqa: PERF401 - those before a mistake count
    except StudioError as error:
        is_mistake = isinstance(error, AgentCodeError | NodeStepError)
        if is_mistake and len(steps) == len(present) and _are_alike(present, steps):
            raise  # it failed here, and would again
        return ()
    if len(present) >= len(steps) or not _are_alike(present, steps):
        return ()
    return tuple(steps[len(present) :])


def _are_alike(present: Sequence[Step], made: Sequence[Step]) -> bool:
    return all(matches_recording(old, new) for old, new in zip(present, made, strict=False))


def last_node_run_start(tape: Tape) -> int | None:
    """Return where the node run at the very end of the tape starts; `None` if there is none."""
    if not tape.steps or not tape.steps[-1].metadata.prompt_id:
        return None
    prompt_id = tape.steps[-1].metadata.prompt_id
    start = len(tape)
    while start > 0 and tape.steps[start - 1].metadata.prompt_id == prompt_id:
        start -= 1
    return start


async def regenerate_steps(
    selection: Selection, before: Tape, prompt: Prompt, output: LLMOutput
) -> tuple[Step, ...]:
    """Return the steps that a node makes of a known output, signed as in a run."""
    return tuple([step async for step in _regenerate(selection, before, prompt, output)])


async def _regenerate(
    selection: Selection, before: Tape, prompt: Prompt, output: LLMOutput
) -> AsyncGenerator[Step, None]:
    async for step in generate_steps(selection, before, replayed_stream(prompt, output)):
        if not isinstance(step, PartialStep):
            yield step
