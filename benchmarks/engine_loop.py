"""Claim 1: the agent loop with a zero-latency LLM, in steps a second of processor time."""

import asyncio
import time

from harness import Row, add_repository_to_path, finish, median_of, row, run_peer

add_repository_to_path()

from looper import build_looper, grow_tape  # noqa: E402 - needs the repository on the path

LENGTHS = (10, 100, 1_000, 3_000)
LONGEST = 10_000
STEPS = 1_000
PEER_REPEATS = 1
GOAL = "100 times the peer at 3,000 steps; cost per step at 10,000 within 1.5 of that at 10"


def steps_per_second(length: int, *, full_history: bool) -> float:
    agent = build_looper(full_history=full_history)
    tape, _ = asyncio.run(grow_tape(agent, length))
    agent.compute_view(tape)
    begin = time.process_time()
    asyncio.run(grow_tape(agent, length + STEPS, tape))
    return STEPS / (time.process_time() - begin)


def measure() -> tuple[list[Row], bool]:
    rows: list[Row] = []
    is_met = True
    for full_history in (False, True):
        name = "full-history prompt" if full_history else "constant prompt"
        for length in LENGTHS:
            ours = median_of(lambda: steps_per_second(length, full_history=full_history))  # noqa: B023
            peer = run_peer(
                "tapeagents",
                "tapeagents_engine",
                "loop",
                length,
                "full" if full_history else "constant",
            )
            measured = row(f"{name}, {length:,} steps", ours, peer, "steps/s", higher_wins=True)
            rows.append(measured)
            is_met = is_met and (length < LENGTHS[-1] or (measured.ratio or 0) >= 100)
    short, long = (
        median_of(lambda: steps_per_second(length, full_history=False), repeats=5)  # noqa: B023
        for length in (10, LONGEST)
    )
    rows.append(row(f"constant prompt, {LONGEST:,} steps", long, None, "steps/s", higher_wins=True))
    rows.append(row("cost per step at 10,000 over 10", short / long, None, "x", higher_wins=False))
    return rows, is_met and short / long <= 1.5


if __name__ == "__main__":
    measured_rows, goal_met = measure()
    finish(
        "engine_loop",
        claim=1,
        goal=GOAL,
        rows=measured_rows,
        met=goal_met,
        peer="TapeAgents 0.1.16",
    )
