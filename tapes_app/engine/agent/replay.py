"""Replay: run an agent again on recorded answers and observations and compare (paper 2.4.1)."""

import difflib
import json
from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.agent.node_code import make_prompt, select_on
from tapes_app.engine.agent.node_runs import NodeRun, split_node_runs
from tapes_app.engine.agent.resume import regenerate_steps
from tapes_app.engine.agent.selection import Selection
from tapes_app.engine.errors import DelegationError, StudioError
from tapes_app.engine.model.llm import LLMCall, LLMOutput, Prompt
from tapes_app.engine.tape.dialog_steps import matches_recording
from tapes_app.engine.tape.lanes import find_lane
from tapes_app.engine.tape.steps import Step
from tapes_app.engine.tape.tape import Tape

Reason = Literal["node", "prompt", "no_recorded_call", "steps", "error"]


class Divergence(BaseModel):
    """Where a replay first departs from the tape, and how."""

    model_config = ConfigDict(frozen=True)

    position: int
    """The step of the tape from which the replay differs."""

    reason: Reason
    message: str
    diff: str = ""
    """Unified diff, tape against replay; empty if there is nothing to compare."""


class ReplayResult(BaseModel):
    """The result of a replay; no divergence means that the tape was reproduced exactly."""

    model_config = ConfigDict(frozen=True)

    step_count: int
    node_run_count: int
    """Node runs that were reproduced and compared before the end or the divergence."""

    divergence: Divergence | None = None

    @property
    def is_identical(self) -> bool:
        return self.divergence is None


async def replay_tape(agent: Agent, tape: Tape, calls: Mapping[str, LLMCall]) -> ReplayResult:
    """Replay a tape with its recorded calls, by prompt id.

    Observations are taken from the tape. Every node run is checked: that the agent would run that
    node, that it would send the same prompt, and that the recorded answer yields the same steps. No
    model or tool is called.
    """
    done = tape.with_steps((), author=agent.name)
    compared = 0
    for run in split_node_runs(tape.steps):
        if run.is_agent:
            divergence = await _compare_in_lane(agent, done, tape, run, calls)
            if divergence is not None:
                return ReplayResult(
                    step_count=len(tape), node_run_count=compared, divergence=divergence
                )
            compared += 1
        done = done.append(*tape.steps[run.start : run.stop])
    return ReplayResult(step_count=len(tape), node_run_count=compared)


async def _compare_in_lane(
    agent: Agent, done: Tape, tape: Tape, run: NodeRun, calls: Mapping[str, LLMCall]
) -> Divergence | None:
    """Compare a node run; on the tape of its lane, if it is in one."""
    if not tape[run.start].metadata.lane:
        return await _compare(agent, done, tape, run, calls)
    try:
        lane, start = find_lane(tape, run.start)
    except DelegationError as error:
        return Divergence(position=run.start, reason="error", message=error.message)
    before, there = (
        lane.tape.fork(start),
        run._replace(start=start, stop=start + run.stop - run.start),
    )
    found = await _compare(agent, before, lane.tape, there, calls)
    if found is None:
        return None
    return found.model_copy(update={"position": run.start + found.position - start})


async def _compare(
    agent: Agent, done: Tape, tape: Tape, run: NodeRun, calls: Mapping[str, LLMCall]
) -> Divergence | None:
    try:
        selection = select_on(agent, done)
        if (selection.path, selection.node.name) != (run.agent, run.node):
            return Divergence(
                position=run.start,
                reason="node",
                message=(
                    f"The agent would run {selection.path}.{selection.node.name}, but the tape "
                    f"has {run.agent}.{run.node}."
                ),
            )
        prompt = make_prompt(selection, done, prompt_id=run.prompt_id)
        return await _compare_run(selection, prompt, done, tape, run, calls.get(run.prompt_id))
    except (StudioError, ValueError) as error:
        return Divergence(position=run.start, reason="error", message=str(error))


async def _compare_run(
    selection: Selection,
    prompt: Prompt,
    done: Tape,
    tape: Tape,
    run: NodeRun,
    call: LLMCall | None,
) -> Divergence | None:
    if prompt and call is None:
        return Divergence(
            position=run.start,
            reason="no_recorded_call",
            message=f"No recorded call has the prompt id {run.prompt_id!r}.",
        )
    if call is not None and call.prompt.digest != prompt.digest:
        return Divergence(
            position=run.start,
            reason="prompt",
            message="The agent would send a different prompt.",
            diff=diff_json(_prompt_data(call.prompt), _prompt_data(prompt), "recorded", "replay"),
        )
    output = call.output if call is not None else LLMOutput()
    steps = await regenerate_steps(selection, done, prompt, output)
    expected = tape.steps[run.start : run.stop]
    for offset in range(max(len(steps), len(expected))):
        old = expected[offset] if offset < len(expected) else None
        new = steps[offset] if offset < len(steps) else None
        if old is None or new is None or not matches_recording(old, new):
            return Divergence(
                position=run.start + offset,
                reason="steps",
                message="The recorded answer produces different steps.",
                diff=diff_json(_content(old), _content(new), "tape", "replay"),
            )
    return None


def _content(step: Step | None) -> Any:
    return step.content_dict() if step is not None else None


def _prompt_data(prompt: Prompt) -> Any:
    return {"messages": [dict(message) for message in prompt.messages], "tools": prompt.tools}


def diff_json(old: Any, new: Any, old_name: str, new_name: str) -> str:
    """Return a unified diff of two JSON values with three lines of context."""
    return "\n".join(
        difflib.unified_diff(_lines(old), _lines(new), old_name, new_name, lineterm="")
    )


def _lines(value: Any) -> list[str]:
    return json.dumps(value, indent=2, ensure_ascii=False, sort_keys=True).splitlines()
