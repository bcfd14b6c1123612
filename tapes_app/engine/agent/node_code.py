"""Calls an agent's own code, checks and signs what it returns, and reports its mistakes."""

import inspect
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import aclosing
from pathlib import Path
from typing import Any

from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.agent.nodes import apply_choices
from tapes_app.engine.agent.selection import Selection, select
from tapes_app.engine.code_mistakes import describe_mistake
from tapes_app.engine.errors import NodeNotFoundError, NodeStepError, StudioError
from tapes_app.engine.frozen_model import new_id
from tapes_app.engine.model.llm import LLMStream, Prompt
from tapes_app.engine.model.reasoning import reasoning_of
from tapes_app.engine.tape.control_steps import SetNextNode
from tapes_app.engine.tape.dialog_steps import ToolCalls
from tapes_app.engine.tape.steps import PartialStep, Step, StepMetadata, UnknownStep, family_of
from tapes_app.engine.tape.tape import Tape


def select_on(root: Agent, tape: Tape) -> Selection:
    """Return who acts next on a tape.

    Raises:
        AgentNotFoundError: a `Call` named an agent that the team does not have.
        NodeNotFoundError: the next node is unknown, or the last one has run.
        AgentCodeError: the agent's own node selection fails.
    """
    selection = select(root, root.compute_view(tape))
    agent = selection.agent
    if not agent.routes_itself:
        return selection
    try:
        node = agent.select_node(tape)
    except StudioError:
        raise
    except Exception as error:
        raise describe_mistake(f"select_node of agent {selection.path!r}", error) from error
    if node not in agent.nodes:
        raise NodeNotFoundError(
            f"select_node of agent {selection.path!r} gave {node!r}, which is none of its nodes "
            f"{[one.name for one in agent.nodes]}; return one of self.nodes.",
            agent=agent.name,
        )
    return selection._replace(node=node)


def ask_to_stop(root: Agent, tape: Tape) -> bool:
    """Return whether the turn is over after a node run.

    Raises:
        AgentCodeError: the agent's own decision fails.
    """
    try:
        return root.should_stop(tape)
    except StudioError:
        raise
    except Exception as error:
        raise describe_mistake(f"should_stop of agent {root.name!r}", error) from error


def make_prompt(selection: Selection, tape: Tape, *, prompt_id: str = "") -> Prompt:
    """Return a node's prompt, with an id: a node is pure and cannot generate one (C32).

    Raises:
        NodeStepError: it returns something other than a prompt.
        AgentCodeError: its code fails.
        AgentConfigError: it must call a tool that it does not offer.
    """
    try:
        prompt = selection.node.make_prompt(selection.agent, tape)
    except StudioError:
        raise
    except Exception as error:
        raise describe_mistake(name_node(selection), error) from error
    if not isinstance(prompt, Prompt):
        raise NodeStepError(
            f"{name_node(selection)} gave {_name_type(prompt)} for a prompt "
            f"({_place_of_method(selection, 'make_prompt')}); return a Prompt from make_prompt.",
            node=selection.node.name,
        )
    prompt = apply_choices(prompt, selection.node.sampling, selection.node.tool_choice)
    if prompt_id or "id" not in prompt.model_fields_set:
        return prompt.model_copy(update={"id": prompt_id or new_id()})
    return prompt


async def generate_steps(
    selection: Selection, tape: Tape, stream: LLMStream
) -> AsyncGenerator[Step | PartialStep, None]:
    """Yield what a node makes of an answer: its steps, signed, and its partial steps.

    One of the steps that follow the complete answer carries the model's reasoning, so that no node
    has to handle it.

    Raises:
        NodeStepError: it yields something that an agent does not write.
        AgentCodeError: its code fails.
    """
    made: list[Step] = []
    mistake: StudioError | None = None
    async with aclosing(_run_code(selection, tape, stream)) as given:
        try:
            async for step in given:
                if stream.result is None or isinstance(step, PartialStep):
                    yield step
                else:
                    made.append(step)
        except StudioError as error:
            mistake = error  # what it yielded before counts
    for step in _with_reasoning(made, stream):
        yield step
    if mistake is not None:
        raise mistake


def _with_reasoning(steps: list[Step], stream: LLMStream) -> list[Step]:
    """Put the reasoning of an answer on one of its steps, unless its node has done so.

    Providers want it next to the tool calls; if there are none, it precedes everything else.
    """
    thought = reasoning_of(stream.result.output) if stream.result is not None else {}
    if not steps or not thought or any(reasoning_of(step) for step in steps):
        return steps
    at = min(range(len(steps)), key=lambda position: _distance(steps[position]))
    return [*steps[:at], steps[at].model_copy(update=thought), *steps[at + 1 :]]


def _distance(step: Step) -> int:
    """Return how far a step is from being the answer itself."""
    if isinstance(step, ToolCalls):
        return 0
    if isinstance(step, SetNextNode):
        return 3
    return 2 if family_of(step) == "control" else 1


async def _run_code(
    selection: Selection, tape: Tape, stream: LLMStream
) -> AsyncGenerator[Step | PartialStep, None]:
    """Yield what a node makes of an answer, checked and signed."""
    stamp = Stamp(selection, stream.prompt.id)
    given: Any = None
    try:
        given = await _start(selection, tape, stream)
        while True:
            step: Any = (
                await anext(given) if isinstance(given, AsyncIterator) else next(given, _END)
            )
            if step is _END:
                return
            signed = step
            if isinstance(step, Step):
                signed = selection.agent.briefing.classify(stamp(step), tape)
            _check_step(selection, signed, given)
            yield signed
    except StopAsyncIteration:
        return
    except StudioError:
        raise
    except Exception as error:
        raise describe_mistake(name_node(selection), error) from error
    finally:
        if hasattr(given, "aclose"):
            await given.aclose()


class Stamp:
    """Signs the steps of one node run with agent, node and prompt id (C31, C32)."""

    def __init__(self, selection: Selection, prompt_id: str) -> None:
        self._values: dict[str, Any] = {
            "agent": selection.path,
            "node": selection.node.name,
            "prompt_id": prompt_id,
        }
        if len(selection.agent.llms) > 1:
            self._values["llm"] = selection.node.llm

    def __call__(self, step: Step) -> Step:
        if isinstance(step, UnknownStep) or step.metadata.model_fields_set:
            return step.with_metadata(id=new_id(), **self._values)
        metadata = StepMetadata(id=new_id(), **self._values)
        return step.model_copy(update={"metadata": metadata})


def refuse_silence(selection: Selection) -> NodeStepError:
    """Return the error to raise when a node run produced no step at all."""
    return NodeStepError(
        f"{name_node(selection)} wrote no step ({_place_of_method(selection, 'generate_steps')}); "
        "every node run must add at least one to the tape.",
        node=selection.node.name,
    )


def name_node(selection: Selection) -> str:
    return f"Node {selection.node.name!r} of agent {selection.path!r}"


_END = object()


async def _start(
    selection: Selection, tape: Tape, stream: LLMStream
) -> AsyncIterator[Any] | Iterator[Any]:
    """Return the source of the steps; plain generators and lists work as well as async ones."""
    given: Any = selection.node.generate_steps(selection.agent, tape, stream)
    if inspect.isawaitable(given):
        given = await given
    if isinstance(given, list | tuple):
        return iter(given)
    if isinstance(given, AsyncIterator | Iterator):
        return given
    raise NodeStepError(
        f"{name_node(selection)} gave {_name_type(given)} for its steps "
        f"({_place_of_method(selection, 'generate_steps')}); give them one by one with `yield`.",
        node=selection.node.name,
    )


def _check_step(selection: Selection, step: Any, given: Any) -> None:
    is_observation = isinstance(step, Step) and family_of(step) == "observation"
    if isinstance(step, Step | PartialStep) and not is_observation:
        return
    frame = getattr(given, "ag_frame", None) or getattr(given, "gi_frame", None)
    if frame is not None:
        place = _name_place(frame.f_code.co_filename, frame.f_lineno)
    else:
        place = _place_of_method(selection, "generate_steps")
    if is_observation:
        what = f"an observation of kind {step.kind!r}"
        advice = "observations come from environments and people; yield a thought or an action"
    else:
        what, advice = _name_type(step), "yield thoughts, actions or control steps"
    raise NodeStepError(
        f"{name_node(selection)} gave {what} for a step ({place}); {advice}.",
        node=selection.node.name,
    )


def _name_type(value: object) -> str:
    return "nothing" if value is None else f"a value of type {type(value).__name__!r}"


def _place_of_method(selection: Selection, name: str) -> str:
    code = inspect.unwrap(getattr(type(selection.node), name)).__code__
    return _name_place(code.co_filename, code.co_firstlineno)


def _name_place(path: str, line: int) -> str:
    return f"{Path(path).name}, line {line}"
