"""Resuming a tape that was cut in the middle of a node run (paper 2.4.1)."""

from collections.abc import Mapping

from tapes_app.engine.agent import Agent
from tapes_app.engine.errors import StudioError
from tapes_app.engine.llm import LLMOutput, Prompt, replayed_stream
from tapes_app.engine.run import Stamp
from tapes_app.engine.selection import Selection
from tapes_app.engine.steps import PartialStep, Step
from tapes_app.engine.tape import Tape


async def missing_steps(
    agent: Agent, tape: Tape, recorded_outputs: Mapping[str, LLMOutput]
) -> tuple[Step, ...]:
    """Return the steps that the last node run still owes the tape.

    The node generates again from its recorded output; when the steps on the tape are the first
    of what it gives, the rest is missing. An edited run, an unknown node or no recording mean
    that nothing is owed: the tape is taken as it is.
    """
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
    before = tape.fork(start)
    prompt = node.make_prompt(member, before).model_copy(update={"id": first.prompt_id})
    output = recorded_outputs.get(first.prompt_id)
    if prompt and output is None:
        return ()
    selection = Selection(member, first.agent, node)
    try:
        steps = await regenerate_steps(selection, before, prompt, output or LLMOutput())
    except (StudioError, ValueError):
        return ()
    present = tape.steps[start:]
    same = all(a.content_equals(b) for a, b in zip(present, steps, strict=False))
    return steps[len(present) :] if same and len(present) < len(steps) else ()


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
    stamp = Stamp(selection, prompt.id)
    stream = replayed_stream(prompt, output)
    generated = selection.node.generate_steps(selection.agent, before, stream)
    return tuple([stamp(step) async for step in generated if not isinstance(step, PartialStep)])
