"""What the peer stores for a run with full-history prompts, and for forks; prints JSON last."""

import json
import os
import sys
import tempfile
import time
from pathlib import Path

FOLDER = tempfile.mkdtemp(prefix="peer-benchmark-")
os.environ["TAPEAGENTS_SQLITE_DB"] = str(Path(FOLDER) / "tapedata.sqlite")

from tapeagents.agent import Agent, Node  # noqa: E402
from tapeagents.config import sqlite_db_path  # noqa: E402
from tapeagents.core import (  # noqa: E402
    LLMCall,
    LLMOutput,
    Prompt,
    SetNextNode,
    StepMetadata,
    TapeMetadata,
)
from tapeagents.dialog_tape import AssistantThought, DialogTape, UserStep  # noqa: E402
from tapeagents.llms import MockLLM  # noqa: E402
from tapeagents.observe import (  # noqa: E402
    init_sqlite_if_not_exists,
    observe_llm_call,
    observe_tape,
)
from tapeagents.prompting import view_to_messages  # noqa: E402

ANSWER = "The next thing to look at is the one after this."


def run_of(step_count):
    """Return the tape and the prompts of a run in which every prompt has all steps so far."""
    steps = [UserStep(content="Start.")]
    turns = []
    while len(steps) < step_count:
        prompt = Prompt()
        metadata = {"agent": "looper", "node": "loop", "prompt_id": prompt.id}
        turns.append((prompt, len(steps)))
        content = f"{ANSWER} ({len(steps)})"
        steps.append(AssistantThought(content=content, metadata=StepMetadata(**metadata)))
        steps.append(SetNextNode(next_node="loop", metadata=StepMetadata(**metadata)))
    return DialogTape(steps=steps), turns


def bytes_of_run(step_count):
    tape, turns = run_of(step_count)
    agent = Agent.create(name="looper", llms=MockLLM(), nodes=[Node(name="loop")])
    messages = view_to_messages(agent.compute_view(tape).top, agent)
    init_sqlite_if_not_exists()
    for empty, count in turns:
        prompt = empty.model_copy(update={"messages": messages[:count]})
        output = LLMOutput(role="assistant", content=ANSWER)
        call = LLMCall(prompt=prompt, output=output, cached=False, llm_info={"model": "instant"})
        observe_llm_call(call)
    observe_tape(tape)
    return stored_bytes()


def forks(step_count, fork_count):
    """Return bytes and seconds for each stored fork."""
    tape, _ = run_of(step_count)
    init_sqlite_if_not_exists()
    observe_tape(tape)
    before, begin = stored_bytes(), time.perf_counter()
    for _ in range(fork_count):
        metadata = TapeMetadata(parent_id=tape.metadata.id)
        observe_tape(tape.model_copy(update={"metadata": metadata}))
    seconds = time.perf_counter() - begin
    return {"bytes": (stored_bytes() - before) / fork_count, "seconds": seconds / fork_count}


def stored_bytes():
    path = Path(sqlite_db_path())
    if not path.is_relative_to(FOLDER):
        raise SystemExit(f"the peer stores at {path}, not where it should")
    return path.stat().st_size


if __name__ == "__main__":
    what, numbers = sys.argv[1], [int(text) for text in sys.argv[2:]]
    print(json.dumps(bytes_of_run(*numbers) if what == "run" else forks(*numbers)))
