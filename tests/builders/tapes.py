"""Tapes and calls that are valid with no arguments."""

from tapes_app.engine.frozen_model import new_id
from tapes_app.engine.model.llm import LLMCall, LLMOutput, Prompt, Usage
from tapes_app.engine.model.messages import Message, assistant_message, user_message
from tapes_app.engine.tape.dialog_steps import AssistantStep, UserStep
from tapes_app.engine.tape.steps import Step, StepMetadata
from tapes_app.engine.tape.tape import Tape


def user_step(content: str = "What is up?") -> UserStep:
    return UserStep(content=content, metadata=StepMetadata(id=new_id()))


def answer(content: str = "The sky.", *, prompt_id: str = "") -> AssistantStep:
    metadata = StepMetadata(id=new_id(), agent="bot", node="reply", prompt_id=prompt_id)
    return AssistantStep(content=content, metadata=metadata)


def make_steps(count: int) -> tuple[Step, ...]:
    return tuple(
        user_step(f"question {i}") if i % 2 == 0 else answer(f"answer {i}") for i in range(count)
    )


def make_tape(count: int = 4) -> Tape:
    return Tape(steps=make_steps(count))


def make_call(
    *messages: Message,
    prompt_id: str = "",
    cost: int | None = 7,
    usage: Usage | None = None,
    tools: tuple[dict[str, object], ...] | None = None,
) -> LLMCall:
    prompt = Prompt(
        id=prompt_id or new_id(), messages=messages or (user_message("What is up?"),), tools=tools
    )
    return LLMCall(
        prompt=prompt,
        output=LLMOutput(content="The sky."),
        usage=usage or Usage(input_tokens=10, output_tokens=3),
        cost_micro_usd=cost,
        llm={"model_name": "toy", "parameters": {"temperature": 0}},
    )


def full_history_calls(count: int) -> list[LLMCall]:
    """A run whose every prompt repeats all messages before it."""
    history: list[Message] = [Message(role="system", content="Be brief.")]
    calls = []
    for index in range(count):
        history.append(user_message(f"question {index}"))
        calls.append(make_call(*history, prompt_id=f"p{index}"))
        history.append(assistant_message(f"answer {index}"))
    return calls
