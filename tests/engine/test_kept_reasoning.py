"""What a model thought before an answer is kept on a step of it, whatever node reads it."""

from collections.abc import AsyncIterator
from typing import Any, Literal

from pydantic import BaseModel

from tapes_app.engine import (
    Agent,
    FinalStep,
    LLMCall,
    LLMOutput,
    LLMStream,
    Prompt,
    SetNextNode,
    Step,
    StructuredNode,
    TalkNode,
    Tape,
    Thought,
    UserStep,
    ask_structured,
    environment_of,
    make_response_format,
    make_training_text,
    reasoning_of,
    run_to_end,
    tool,
    user_message,
)
from tapes_app.engine.agent.orchestrator import main_loop
from tapes_app.engine.agent.replay import replay_tape
from tapes_app.engine.agent.resume import missing_steps
from tapes_app.engine.agent.reuse import reuse_tape
from tapes_app.engine.environment.events import LoopFinished, NodeFinished
from tapes_app.engine.model.reasoning import REASONING
from tapes_app.engine.prompts.sound_messages import view_to_messages
from tapes_app.engine.tape.steps import UnknownStep
from tapes_app.engine.tape.view import compute_view_stack
from tapes_app.llms.scripted import ScriptedLLM, answers_in_order

SIGNED = {"type": "thinking", "thinking": "High.", "signature": "sig=="}
THOUGHT: dict[str, Any] = {"reasoning_content": "High.", "thinking_blocks": (SIGNED,)}


class Height(Thought):
    kind: Literal["reasoned_height"] = "reasoned_height"
    metres: int


class Guess(Thought):
    kind: Literal["reasoned_guess"] = "reasoned_guess"
    text: str


class HeightNode(StructuredNode):
    output = Height


class EndNode(StructuredNode):
    output = FinalStep


class GuessNode(TalkNode):
    """As anybody writes one: it knows nothing of reasoning."""

    async def generate_steps(self, agent: Agent, tape: Tape, llm: LLMStream) -> AsyncIterator[Step]:
        yield SetNextNode(next_node="HeightNode")
        yield Guess(text=await llm.get_text())
        yield Guess(text="sure")

    def make_llm_output(self, agent: Agent, tape: Tape, index: int) -> LLMOutput:
        return LLMOutput(content=tape[index + 1].content_dict()["text"])


@tool
def measure(mountain: str) -> int:
    """Say how high a mountain is."""
    return 8849


ASKED = Tape(steps=(UserStep(content="How high is Everest?"),))
CALLS = LLMOutput.calling("measure", mountain="Everest").model_copy(update=THOUGHT)
ANSWERS = (
    LLMOutput(content="9 km", **THOUGHT),
    CALLS,
    LLMOutput(content='{"kind": "reasoned_height", "metres": 8849}', **THOUGHT),
    LLMOutput(content='{"kind": "final_step", "reason": "done"}'),
)
END = ("user", "set_next_node", "reasoned_guess", "reasoned_guess", "set_next_node", "assistant",
       "tool", "reasoned_height", "final_step")  # fmt: skip


def build() -> Agent:
    nodes = [GuessNode(), HeightNode(tools=[measure]), EndNode()]
    llm = ScriptedLLM(answers_in_order(ANSWERS))
    return Agent.create("climber", llms=llm, templates={"system": "Answer."}, nodes=nodes)


async def run() -> tuple[Tape, dict[str, LLMCall]]:
    agent, tape = build(), ASKED
    calls: dict[str, LLMCall] = {}
    async for event in main_loop(agent, ASKED, environment_of(agent)):
        if isinstance(event, NodeFinished) and event.call is not None:
            calls[event.call.prompt.id] = event.call
        elif isinstance(event, LoopFinished):
            tape = event.tape
    return Tape.model_validate(tape.to_json()), calls


async def test_steps_of_any_node_keep_it_and_the_next_prompts_hold_it() -> None:
    tape, calls = await run()

    assert tuple(step.kind for step in tape) == END
    assert [at for at, step in enumerate(tape) if reasoning_of(step)] == [2, 5, 7]
    assert all(reasoning_of(tape[at]) == THOUGHT for at in (2, 5, 7))
    last = calls[tape[8].metadata.prompt_id].prompt.messages
    assert [index for index, one in enumerate(last) if "thinking_blocks" in one] == [2, 4, 6]
    assert last[6].text == tape[7].llm_view()
    assert "High." not in last[6].text
    assert last[6]["reasoning_content"] == "High."


async def test_such_a_tape_replays_resumes_and_is_trained_on() -> None:
    tape, calls = await run()
    outputs = {prompt_id: call.output for prompt_id, call in calls.items()}

    reused = await reuse_tape(build(), tape)

    assert (await replay_tape(build(), tape, calls)).is_identical
    assert len(await missing_steps(build(), tape.fork(3), outputs)) == 1
    assert [reasoning_of(step) for step in reused.tape] == [reasoning_of(step) for step in tape]
    texts = await make_training_text(build(), tape)
    assert "High." not in "".join(text.output_text for text in texts)


async def test_a_tape_from_before_reasoning_was_kept_still_replays() -> None:
    tape, calls = await run()
    bare = [step.model_copy(update=dict.fromkeys(REASONING)) for step in tape[2:4]]

    result = await replay_tape(build(), ASKED.append(tape[1], *bare), calls)

    assert result.is_identical


async def test_no_form_asks_for_it_and_no_answer_forges_it() -> None:
    forged = '{"kind": "reasoned_height", "metres": 1, "thinking_blocks": [{"signature": "x"}]}'
    llm = ScriptedLLM(answers_in_order([forged, ANSWERS[-1]]))
    agent = Agent.create("a", llms=llm, templates={"system": "."}, nodes=[HeightNode(), EndNode()])

    tape = (await run_to_end(agent, ASKED, environment_of(agent))).tape

    assert reasoning_of(tape[1]) == {}
    schema = make_response_format(Height)["json_schema"]["schema"]
    assert set(schema["properties"]) == {"kind", "metres"}


async def test_who_is_asked_again_gets_back_what_it_thought() -> None:
    class Verdict(BaseModel):
        passed: bool

    calls: list[LLMCall] = []
    llm = ScriptedLLM(answers_in_order([LLMOutput(content="Yes.", **THOUGHT), '{"passed": true}']))

    await ask_structured(llm, Prompt(messages=(user_message("?"),)), Verdict, keep=calls.append)

    said = calls[1].prompt.messages[1]
    assert (said["reasoning_content"], said["thinking_blocks"]) == ("High.", (SIGNED,))


def test_a_step_of_an_unknown_kind_keeps_it_beside_what_it_says() -> None:
    body = {"kind": "my_thought", "text": "So.", **THOUGHT, "metadata": {"agent": "stranger"}}
    seen = {"kind": "observed", "reasoning_content": "of another"}
    tape = Tape(steps=(UnknownStep.model_validate(body), UnknownStep.model_validate(seen)))

    said, observed = view_to_messages(compute_view_stack(tape).top)

    assert (said["reasoning_content"], "High." in said.text) == ("High.", False)
    assert "of another" in observed.text
