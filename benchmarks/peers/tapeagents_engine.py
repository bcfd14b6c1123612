"""The peer's agent loop and replay, measured in its own environment; prints JSON last."""

import json
import sys
import time

from tapeagents.agent import Agent, Node
from tapeagents.core import Prompt, SetNextNode
from tapeagents.dialog_tape import AssistantThought, DialogTape, UserStep
from tapeagents.llms import MockLLM
from tapeagents.llms.base import LLMEvent, LLMOutput, LLMStream
from tapeagents.prompting import view_to_messages

ANSWER = "The next thing to look at is the one after this."


class InstantLLM(MockLLM):
    def generate(self, prompt):
        def events():
            yield LLMEvent(output=LLMOutput(content=ANSWER))

        return LLMStream(events(), prompt=prompt)


class LoopNode(Node):
    name: str = "loop"
    full: bool = False

    def make_prompt(self, agent, tape):
        if self.full:
            return Prompt(messages=view_to_messages(agent.compute_view(tape).top, agent))
        return Prompt(messages=[{"role": "user", "content": "Go on."}])

    def generate_steps(self, agent, tape, llm_stream):
        yield AssistantThought(content=llm_stream.get_text())
        yield SetNextNode(next_node="loop")


def make_agent(full, llm=None):
    return Agent.create(
        name="looper",
        llms=llm or InstantLLM(),
        nodes=[LoopNode(full=full)],
        max_iterations=10**9,
        store_llm_calls=False,
    )


def grow(agent, tape, steps):
    """Return the tape with about `steps` more steps."""
    added = []
    for event in agent.run(tape):
        if event.step:
            added.append(event.step)
            if len(added) >= steps:
                break
    return tape.model_copy(update={"steps": [*tape.steps, *added]})


def steps_per_second(length, full):
    agent = make_agent(full)
    start = DialogTape(steps=[UserStep(content="Start.")])
    seed = grow(agent, start, 4).steps[1:3]
    tape = DialogTape(steps=[*start.steps, *(seed * (length // 2))])
    count = 60 if length <= 1000 else 20
    begin = time.process_time()
    grow(agent, tape, count)
    return count / (time.process_time() - begin)


def replay_seconds(length):
    from tapeagents.orchestrator import replay_tape

    agent = make_agent(True)
    seed = grow(agent, DialogTape(steps=[UserStep(content="Start.")]), 4).steps[1:3]
    tape = DialogTape(steps=[UserStep(content="Start."), *(seed * (length // 2))])

    begin = time.perf_counter()
    replay_tape(agent, tape, reuse_observations=True)
    return time.perf_counter() - begin


if __name__ == "__main__":
    what, length, full = sys.argv[1], int(sys.argv[2]), sys.argv[3] == "full"
    measured = steps_per_second(length, full) if what == "loop" else replay_seconds(length)
    print(json.dumps(measured))
