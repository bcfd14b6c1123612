"""Functions over a model: typed inputs and outputs, rendered as text and read back (paper 3.1).

The layout of the text is that of TapeAgents, to the byte, so that demonstrations and recorded
answers fit here too.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from tapes_app.engine.errors import AgentConfigError, StudioError
from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.engine.model.llm import LLMOutput
from tapes_app.engine.prompts.chat_messages import as_text, show_text
from tapes_app.engine.tape.dialog_steps import AssistantStep, AssistantThought, ToolCalls
from tapes_app.engine.tape.media import has_media
from tapes_app.engine.tape.steps import Step

Demo = Mapping[str, Any]
"""Values of inputs and outputs by name; some may be missing."""


class UnreadableOutputError(StudioError):
    """An answer lacks an output; the model is shown the message."""

    code = "function_output"


class Variable(FrozenModel):
    """An input or an output: its name, and how its value is written."""

    name: str = Field(min_length=1)
    desc: str = ""
    """What it holds; empty: its name says it."""

    prefix: str = ""
    """What stands before the value; empty: the name and a colon."""

    separator: str = " "
    """What stands between the prefix and the value."""

    @property
    def label(self) -> str:
        return self.prefix or f"{self.name.title()}:"

    def describe(self) -> str:
        """Return the line that says what belongs here."""
        return f"{self.label} {self.desc or f'${{{self.name}}}'}"

    def render(self, value: Any) -> str:
        """Return a value with its label."""
        return f"{self.label}{self.separator}{self.write(value)}"

    def write(self, value: Any) -> str:
        """Return a value as text."""
        return show_text(value)


class Input(Variable):
    """A value that the model is given."""

    type: Literal["input"] = "input"


class ContextInput(Variable):
    """A list of passages that the model is given; they are numbered."""

    type: Literal["context"] = "context"

    def write(self, value: Any) -> str:
        if not value:
            return "N/A"
        if has_media(value):
            value = [part["text"] for part in value if "text" in part]
        passages = value if isinstance(value, list | tuple) else [value]
        return "\n".join(
            f"[{number}] «{as_text(passage)}»" for number, passage in enumerate(passages, 1)
        )


class _ThoughtText(Variable):
    def make_step(self, text: str) -> Step:
        return AssistantThought(content=text)

    def read_step(self, step: Step) -> str | None:
        """Return the text of which `make_step` makes this step; `None` if of none."""
        return as_text(step.content) if isinstance(step, AssistantThought) else None


class ThoughtOutput(_ThoughtText):
    """A text that becomes a thought."""

    type: Literal["thought"] = "thought"


class RationaleOutput(_ThoughtText):
    """What leads to another output, step by step; it comes before that one."""

    type: Literal["rationale"] = "rationale"

    @classmethod
    def for_output(cls, name: str) -> Self:
        return cls(
            name="rationale",
            prefix="Reasoning: Let's think step by step in order to",
            desc=f"${{produce the {name}}}. We ...",
        )


class AssistantOutput(Variable):
    """A text that is said to the person."""

    type: Literal["assistant"] = "assistant"

    def make_step(self, text: str) -> Step:
        return AssistantStep(content=text)

    def read_step(self, step: Step) -> str | None:
        return step.content if isinstance(step, AssistantStep) else None


class ToolCallOutput(Variable):
    """A text that becomes the argument of a tool call."""

    type: Literal["tool_call"] = "tool_call"
    tool_name: str
    arg_name: str

    def make_step(self, text: str) -> Step:
        return ToolCalls.from_llm_output(LLMOutput.calling(self.tool_name, **{self.arg_name: text}))

    def read_step(self, step: Step) -> str | None:
        if not isinstance(step, ToolCalls) or len(step.tool_calls) != 1:
            return None
        [call] = step.tool_calls
        try:
            arguments = call.parsed_arguments()
        except ValueError:
            return None
        if call.function.name != self.tool_name or arguments.keys() != {self.arg_name}:
            return None
        return as_text(arguments[self.arg_name])


AnyInput = Annotated[Input | ContextInput, Field(discriminator="type")]
AnyOutput = Annotated[
    ThoughtOutput | RationaleOutput | AssistantOutput | ToolCallOutput, Field(discriminator="type")
]


class LLMFunctionTemplate(FrozenModel):
    """What a function does, its inputs and outputs, and demonstrations of it.

    Raises:
        AgentConfigError: it has no output, or two variables share a name or a label.
    """

    desc: str
    """What it does."""

    inputs: tuple[AnyInput, ...] = ()
    outputs: tuple[AnyOutput, ...]
    partial_demos: tuple[Demo, ...] = ()
    """Demonstrations without some of the outputs, such as the rationale."""

    demos: tuple[Demo, ...] = ()
    """Complete demonstrations."""

    @model_validator(mode="after")
    def _check_variables(self) -> Self:
        variables = [*self.inputs, *self.outputs]
        for what, used in (
            ("named", [variable.name for variable in variables]),
            ("labelled", [variable.label for variable in variables]),
        ):
            if twice := sorted({one for one in used if used.count(one) > 1}):
                raise AgentConfigError(f"A function has more than one variable {what} {twice}.")
        if not self.outputs:
            raise AgentConfigError("A function needs at least one output.")
        return self

    def with_demos(self, demos: Sequence[Demo]) -> Self:
        """Return this template with other demonstrations."""
        return self.model_copy(update={"demos": tuple(demos)})

    def render(self, values: Sequence[Any]) -> str:
        """Return the text of the prompt, up to where the first output belongs.

        Raises:
            AgentConfigError: there are not as many values as inputs.
        """
        if len(values) != len(self.inputs):
            raise AgentConfigError(
                f"The function has the inputs {[one.name for one in self.inputs]}, but is given "
                f"{len(values)} values; give each of them one."
            )
        given = [one.render(value) for one, value in zip(self.inputs, values, strict=True)]
        described = [variable.describe() for variable in (*self.inputs, *self.outputs)]
        parts = [
            self.desc,
            *self._render_partial(),
            "---",
            "Follow the following format.",
            "\n".join(described),
            *(part for demo in self.demos for part in ("---", self.render_demo(demo))),
            "---",
            "\n".join([*given, self.outputs[0].label]),
        ]
        return "\n\n".join(parts)

    def render_demo(self, demo: Demo) -> str:
        """Return a demonstration as the prompt shows it."""
        shown = [one for one in (*self.inputs, *self.outputs) if one.name in demo]
        return "\n".join(one.render(demo[one.name]) for one in shown)

    def write_answer(self, values: Mapping[str, str]) -> str:
        """Return the answer in which `read_answer` finds these outputs."""
        first, *others = self.outputs
        text = values[first.name]
        # The prompt ends with the first label.
        start = first.render(text) if text.lstrip().startswith(first.label) else text
        return "\n".join([start, *(one.render(values[one.name]) for one in others)]).strip()

    def read_answer(self, answer: str) -> dict[str, str]:
        """Return the outputs in an answer, by name; each begins at its label, in their order.

        Writing them as an answer again gives the same text.

        Raises:
            UnreadableOutputError: one is missing.
        """
        rest, found = answer.strip(), {}
        first = self.outputs[0]
        if rest.startswith(first.label):
            rest = rest.removeprefix(first.label).removeprefix(first.separator)
        elif any(rest.startswith(output.label) for output in self.outputs[1:2]):
            rest = f"\n{rest}"  # the first output is empty
        for before, output in zip(self.outputs, self.outputs[1:], strict=False):
            found[before.name], rest = _split(rest, output)
        found[self.outputs[-1].name] = rest
        return found

    def make_steps(self, answer: str) -> list[Step]:
        """Return the steps of an answer, one for each output.

        Raises:
            UnreadableOutputError: one is missing.
        """
        found = self.read_answer(answer)
        return [output.make_step(found[output.name]) for output in self.outputs]

    def read_steps(self, steps: Sequence[Step]) -> dict[str, str] | None:
        """Return the outputs that became these steps; `None` if none did."""
        if len(steps) != len(self.outputs):
            return None
        read = {
            output.name: output.read_step(step)
            for output, step in zip(self.outputs, steps, strict=True)
        }
        found = {name: text for name, text in read.items() if text is not None}
        return found if len(found) == len(read) else None

    def _render_partial(self) -> list[str]:
        shown = [self.render_demo(demo) for demo in self.partial_demos]
        return ["---", *shown] if shown else []


def _split(text: str, output: Variable) -> tuple[str, str]:
    """Return what stands before an output's label, which begins a line, and its value."""
    before, label, value = text.partition(f"\n{output.label}")
    if not label:
        raise UnreadableOutputError(
            f"The answer has no line that begins with {output.label!r}.", output=output.name
        )
    return before, value.removeprefix(output.separator)
