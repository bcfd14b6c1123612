"""Training texts: a tape's LLM calls rebuilt and validated by replay (paper 2.2.2)."""

import json
from collections.abc import Callable

from pydantic import BaseModel, ConfigDict, model_validator

from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.agent.reuse import reuse_node_run, reuse_tape
from tapes_app.engine.errors import ReuseError, TrainingTextError
from tapes_app.engine.model.llm import LLMOutput, Prompt
from tapes_app.engine.tape.tape import Tape


class TrainingText(BaseModel):
    """One sample: the text, whose last `n_predicted` characters are the ones to learn."""

    model_config = ConfigDict(frozen=True, extra="allow")

    text: str
    n_predicted: int
    prompt_id: str = ""

    @model_validator(mode="after")
    def _check_span(self) -> "TrainingText":
        if not 0 <= self.n_predicted <= len(self.text):
            raise ValueError(
                f"n_predicted ({self.n_predicted}) must be within the text "
                f"({len(self.text)} characters)"
            )
        return self

    @property
    def prompt_text(self) -> str:
        return self.text[: len(self.text) - self.n_predicted]

    @property
    def output_text(self) -> str:
        return self.text[len(self.text) - self.n_predicted :]


Renderer = Callable[[Prompt, LLMOutput], TrainingText]
"""How a model's chat template renders a prompt and its answer."""


def render_plainly(prompt: Prompt, output: LLMOutput) -> TrainingText:
    """Render with role markers, for models without a chat template."""
    lines = [f"<|{message.role}|>\n{message.text}\n" for message in prompt.messages]
    answer = output.content or ""
    if output.tool_calls:
        answer += json.dumps(list(output.tool_calls), ensure_ascii=False)
    answer += "<|end|>"
    return TrainingText(
        text="".join(lines) + "<|assistant|>\n" + answer,
        n_predicted=len(answer),
        prompt_id=prompt.id,
    )


async def make_training_text(
    agent: Agent, tape: Tape, render: Renderer = render_plainly
) -> tuple[TrainingText, ...]:
    """Return one training text for each LLM call that the agent would have made on the tape.

    Raises:
        TrainingTextError: the rebuilt calls do not reproduce the tape's steps; the message gives
            the step and the reason.
    """
    try:
        reused = await reuse_tape(agent, tape)
    except ReuseError as error:
        raise TrainingTextError(error.message, **error.details) from error
    return tuple(render(call.prompt, call.output) for call in reused.calls)


async def make_node_training_text(
    agent: Agent, tape: Tape, start: int, render: Renderer = render_plainly
) -> TrainingText:
    """Return the training text of the one node run that starts at step `start`.

    Raises:
        TrainingTextError: the rebuilt call does not reproduce the tape's steps, or the node asks no
            model; the message gives the reason.
    """
    try:
        _, call = await reuse_node_run(agent, tape.fork(start), tape)
    except ReuseError as error:
        raise TrainingTextError(error.message, **error.details) from error
    if call is None:
        raise TrainingTextError(
            f"The node of step {start} does not call a model, so there is nothing to train on.",
            position=start,
        )
    return render(call.prompt, call.output)
