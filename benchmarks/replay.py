"""Claim 2: replaying a tape with full-history prompts against its recorded calls."""

import asyncio
import time

from harness import add_repository_to_path, finish, median_of, row, run_peer

add_repository_to_path()

from looper import build_looper, grow_tape  # noqa: E402 - needs the repository on the path

from tapes_app.engine.agent.replay import replay_tape  # noqa: E402
from tapes_app.engine.model.llm import LLMCall, Prompt  # noqa: E402
from tapes_app.engine.model.messages import Message  # noqa: E402

LENGTHS = (1_000, 3_000)
GOAL = "under 1 s at 3,000 steps"


def replay_seconds(length: int) -> float:
    """Replay, comparing every prompt and step; recorded prompts are not hashed beforehand."""
    agent = build_looper(full_history=True)
    tape, calls = asyncio.run(grow_tape(agent, length))
    stored = _as_loaded(calls)
    begin = time.perf_counter()
    result = asyncio.run(replay_tape(agent, tape, stored))
    seconds = time.perf_counter() - begin
    if not result.is_identical:
        raise AssertionError(result.divergence)
    return seconds


def _as_loaded(calls: dict[str, LLMCall]) -> dict[str, LLMCall]:
    """Return the calls as a store returns them: new message objects, shared between prompts."""
    messages: dict[int, Message] = {}
    loaded = {}
    for prompt_id, call in calls.items():
        own = tuple(
            messages.setdefault(id(message), Message(message)) for message in call.prompt.messages
        )
        prompt = Prompt(id=call.prompt.id, messages=own, tools=call.prompt.tools)
        loaded[prompt_id] = call.model_copy(update={"prompt": prompt})
    return loaded


if __name__ == "__main__":
    rows = []
    for length in LENGTHS:
        ours = median_of(lambda: replay_seconds(length))  # noqa: B023
        # The peer need not search for the recorded prompt: its LLM answers immediately.
        peer = run_peer("tapeagents", "tapeagents_engine", "replay", length, "full")
        rows.append(row(f"{length:,} steps", ours, peer, "s (wall)", higher_wins=False))
    finish(
        "replay",
        claim=2,
        goal=GOAL,
        rows=rows,
        met=rows[-1].ours < 1,
        peer="TapeAgents 0.1.16",
    )
