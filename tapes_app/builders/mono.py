"""MonoAgent: the whole tape and the schemas of all allowed steps in one prompt (paper 3.1)."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Self

from pydantic import model_validator

from tapes_app.builders.step_kinds import StepClasses
from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.agent.node_runs import steps_of_run
from tapes_app.engine.agent.nodes import Route
from tapes_app.engine.agent.talk_node import ROUTE_OF_TOOLS, TalkNode, refuse_empty, wrong_step
from tapes_app.engine.errors import AgentConfigError
from tapes_app.engine.model.llm import LLMOutput, LLMStream, Prompt
from tapes_app.engine.model.messages import canonical_json, system_message
from tapes_app.engine.model.prompt_length import find_room, measure_tools, shorten
from tapes_app.engine.plain_json import dump_json_data, dump_json_text
from tapes_app.engine.prompts.answer_schema import (
    describe_form,
    make_response_format,
    make_steps_format,
)
from tapes_app.engine.prompts.parsing import parse_output
from tapes_app.engine.prompts.sound_messages import list_observations
from tapes_app.engine.tape.control_steps import SetNextNode
from tapes_app.engine.tape.defined_kinds import DefinedKind
from tapes_app.engine.tape.defined_steps import list_definitions, recognize
from tapes_app.engine.tape.dialog_steps import AssistantStep, ParsingFailure, ToolCalls
from tapes_app.engine.tape.steps import PartialStep, Step
from tapes_app.engine.tape.tape import Tape

if TYPE_CHECKING:
    from tapes_app.engine.environment.tool_functions import AnyTool
    from tapes_app.engine.model.llm import LLM


class MonoNode(TalkNode):
    """Writes any of its `steps`, one or several at once, and may call tools.

    The prompt is the template with the steps' schemas, everything that the agent sees of the tape,
    and the guidance. Old observations are shortened if the model could not read all of it; the
    prompt records how much. The model is shown an answer that could not be read, and the node runs
    again, a few times in a row. After its steps the next node follows, or the one named in
    `after_answer`; the last node of an agent follows itself. After tool calls it runs again, or the
    one named in `after_tools`.

    Raises:
        AgentConfigError: it has no steps, or one that it does not write by choice.
    """

    type_name = "builders.MonoNode"

    steps: StepClasses = ()
    """The kinds of steps that it may write."""

    answers: Literal["structured", "json", "tool_calls"] = "structured"
    """How the model writes steps: as JSON that the provider enforces where it can; as JSON after
    any thoughts, which nothing enforces; or as calls of tools named like the kinds. In the last
    case plain text is an `AssistantStep`, if that is allowed."""

    after_tools: str = ""
    """The node that starts the next turn after tool calls; this node when empty."""

    @model_validator(mode="after")
    def _check_steps(self) -> Self:
        if not self.steps:
            raise AgentConfigError(
                f"Node {self.name!r} may write no steps; name at least one kind in its `steps`.",
                node=self.name,
            )
        if ToolCalls in self.steps or ParsingFailure in self.steps:
            raise AgentConfigError(
                f"Node {self.name!r} lists ToolCalls or ParsingFailure among its steps; it writes "
                "these by itself, if it has `tools`, and if an answer cannot be read.",
                node=self.name,
            )
        return self

    def list_schemas(self) -> tuple[dict[str, Any], ...]:
        offered = super().list_schemas()
        if self.answers != "tool_calls":
            return offered
        # What it says is plain text.
        own = [cls for cls in self.steps if cls is not AssistantStep]
        return (*offered, *map(_describe_as_tool, own))

    def list_defined_kinds(self) -> tuple[DefinedKind, ...]:
        return list_definitions(self.steps)

    def make_prompt(self, agent: Agent, tape: Tape) -> Prompt:
        asked = super().make_prompt(agent, tape)
        messages = list(asked.messages)
        wanted = None
        if self.answers != "tool_calls":
            form = make_steps_format(tuple(self.steps))
            messages[0] = system_message(f"{messages[0].text}\n\n{describe_form(form)}")
            wanted = form if self.answers == "structured" else None
        seen = list_observations(agent.compute_view(tape).top)
        room = find_room(agent.llms.get(self.llm)) - measure_tools(asked.tools or ())
        # The system message stands before what is seen.
        fitting = shorten(messages, [place + 1 for place in seen], room)
        return Prompt.model_validate(
            {
                "messages": fitting.messages,
                "tools": asked.tools,
                "response_format": wanted,
                **fitting.note(),
            }
        )

    async def generate_steps(
        self, agent: Agent, tape: Tape, llm_stream: LLMStream
    ) -> AsyncIterator[Step | PartialStep]:
        output = await llm_stream.get_message()
        refuse_empty(self, output)
        for step in self._with_turn(agent, self._read(output)):
            yield step

    def list_routes(self, agent: Agent) -> tuple[Route, ...]:
        turn = self._choose_next(agent)
        turn = self.following(agent) if turn == "" else turn
        again = (Route(self._after_calls, ROUTE_OF_TOOLS),) if self.tools else ()
        return (*again, Route(turn))

    def make_llm_output(self, agent: Agent, tape: Tape, index: int) -> LLMOutput:
        run = [recognize(step, self.steps) for step in steps_of_run(tape, index)]
        if isinstance(run[0], ParsingFailure):
            return self._rewrite(run[0])
        for steps in (run[1:], run):
            if steps and _are_same(self._with_turn(agent, steps), run):
                return self._write(steps, tape, index)
        raise wrong_step(self, tape, index, "its steps after a choice of the next node")

    def _choose_next(self, agent: Agent) -> str | int:
        """Return the node to name as the next one; empty if the one in order follows."""
        if self.after_answer != "":
            return self.after_answer
        return "" if self.following(agent) else self.name

    @property
    def _after_calls(self) -> str:
        return self.after_tools or self.name

    def _with_turn(self, agent: Agent, steps: Sequence[Step]) -> Sequence[Step]:
        if isinstance(steps[0], ParsingFailure):
            return steps
        has_calls = any(isinstance(step, ToolCalls) for step in steps)
        turn = self._after_calls if has_calls else self._choose_next(agent)
        # Before the steps: after a call, another agent acts.
        return steps if turn == "" else (SetNextNode(next_node=turn), *steps)

    def _read(self, output: LLMOutput) -> Sequence[Step]:
        if self._is_plain and not output.tool_calls:
            return [AssistantStep.from_llm_output(output)]
        names = [tool.name for tool in self.tools]
        return parse_output(output, step_classes=self.steps, node_name=self.name, tool_names=names)

    @property
    def _is_plain(self) -> bool:
        """Whether text alone is what it says to the person."""
        return self.answers == "tool_calls" and AssistantStep in self.steps

    def _write(self, steps: Sequence[Step], tape: Tape, index: int) -> LLMOutput:
        for step in steps:
            if type(step) not in (*self.steps, ToolCalls):
                raise wrong_step(
                    self, tape, index, f"steps of {[cls.__name__ for cls in self.steps]}"
                )
        match steps:
            case [ToolCalls() as calls]:
                return calls.to_llm_output()
            case [AssistantStep() as said] if self._is_plain and said.content:
                return said.to_llm_output()
            case _ if self.answers == "tool_calls" or isinstance(steps[-1], ToolCalls):
                return LLMOutput(tool_calls=tuple(_write_calls(steps)))
            case _:
                bodies = [_write_step(step) for step in steps]
                return LLMOutput(content=dump_json_text({"steps": bodies}))

    def _rewrite(self, failure: ParsingFailure) -> LLMOutput:
        """Return the answer that could not be read: text, or calls that were kept as text."""
        text = LLMOutput(content=failure.llm_output)
        candidates = [text, *_find_calls(failure.llm_output)]
        fitting = (one for one in candidates if _are_same(self._read(one)[:1], (failure,)))
        return next(fitting, text)


def build_mono_agent(
    name: str,
    instruction: str,
    *,
    steps: Iterable[type[Step] | DefinedKind | str],
    guidance: str | Mapping[str, str] = "",
    tools: Iterable[AnyTool] = (),
    answers: Literal["structured", "json", "tool_calls"] = "structured",
    llms: LLM | Mapping[str, LLM] | None = None,
) -> Agent:
    """Return an agent of `MonoNode`s that differ only in their guidance.

    `guidance` is the text of one node, or the texts of several by their names, in order; the last
    of them repeats until it acts, and begins the next turn.

    Raises:
        AgentConfigError: a node is named `system`, or as for `MonoNode`.
    """
    texts = {"act": guidance} if isinstance(guidance, str) else dict(guidance)
    if "system" in texts or not texts:
        raise AgentConfigError(
            f"The guidance of agent {name!r} must name at least one node, and none of them "
            "'system', which is the name of the instruction."
        )
    allowed, offered = tuple(steps), tuple(tools)
    nodes = [
        MonoNode.model_validate(
            {
                "name": node,
                "steps": allowed,
                "tools": offered,
                "answers": answers,
                "guidance": node if text else "",
            }
        )
        for node, text in texts.items()
    ]
    written = {node: text for node, text in texts.items() if text}
    return Agent.create(name, llms=llms, templates={"system": instruction, **written}, nodes=nodes)


def _describe_as_tool(cls: type[Step]) -> dict[str, Any]:
    schema = make_response_format(cls)["json_schema"]["schema"]
    fields = {name: field for name, field in schema["properties"].items() if name != "kind"}
    required = [name for name in schema.get("required", ()) if name != "kind"]
    parameters = {**schema, "properties": fields, "required": required}
    parameters.pop("description", None)
    return {
        "type": "function",
        "function": {
            "name": str(cls.model_fields["kind"].default),
            "description": str(schema.get("description", "")),
            "parameters": parameters,
        },
    }


def _write_step(step: Step) -> dict[str, Any]:
    written: dict[str, Any] = dump_json_data(
        step, exclude=set(step.hidden_fields), by_alias=True, round_trip=True
    )
    return written


def _write_calls(steps: Iterable[Step]) -> Iterable[dict[str, Any]]:
    for number, step in enumerate(steps):
        if isinstance(step, ToolCalls):
            yield from step.to_llm_output().tool_calls
            continue
        fields = _write_step(step)
        function = {"name": fields.pop("kind"), "arguments": canonical_json(fields)}
        yield {"id": f"call_{number}", "type": "function", "function": function}


def _find_calls(text: str) -> Iterable[LLMOutput]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return
    if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
        yield LLMOutput(tool_calls=tuple(value))


def _are_same(made: Sequence[Step], written: Sequence[Step]) -> bool:
    return len(made) == len(written) and all(
        one.content_equals(other) for one, other in zip(made, written, strict=True)
    )
