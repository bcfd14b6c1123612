"""A recorded run in which every prompt has all steps so far, and no two messages are alike."""

from tapes_app.engine.frozen_model import new_id
from tapes_app.engine.model.llm import LLMCall, LLMOutput, Prompt
from tapes_app.engine.model.messages import Message
from tapes_app.engine.tape.control_steps import SetNextNode
from tapes_app.engine.tape.dialog_steps import AssistantThought, UserStep
from tapes_app.engine.tape.steps import Step, StepMetadata

ANSWER = "The next thing to look at is the one after this."


def full_history_run(step_count: int) -> tuple[tuple[Step, ...], list[LLMCall]]:
    """Return the steps (an odd number) and one call for every two of them."""
    steps: list[Step] = [UserStep(content="Start.")]
    messages = [Message(role="user", content=steps[0].llm_view())]
    calls: list[LLMCall] = []
    while len(steps) < step_count:
        prompt = Prompt(messages=tuple(messages))
        output = LLMOutput(content=ANSWER)
        calls.append(LLMCall(prompt=prompt, output=output, llm={"model_name": "instant"}))
        thought = AssistantThought(content=f"{ANSWER} ({len(steps)})")
        for step in (thought, SetNextNode(next_node="loop")):
            metadata = StepMetadata(id=new_id(), agent="looper", node="loop", prompt_id=prompt.id)
            steps.append(step.model_copy(update={"metadata": metadata}))
            messages.append(Message(role="assistant", content=step.llm_view()))
    return tuple(steps), calls
