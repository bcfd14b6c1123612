"""Linting 1,000 tapes of 50 steps with all detectors and three rules, in memory and stored."""

import random
import time
from typing import Any
from uuid import UUID

from harness import add_repository_to_path, finish, median_of, row

add_repository_to_path()

from store import open_store  # noqa: E402 - needs the repository on the path

TAPES = 1_000
STEPS = 50
LIMIT_SECONDS = 10
GOAL = "1,000 tapes of 50 steps in under 10 s"
WORDS = (
    "tower", "metre", "river", "price", "share", "report", "market", "quarter", "growth", "paris",
    "amber", "falcon",
)  # fmt: skip
RULES = (
    "never kind == 'tool' && is_error",
    "kind == 'user' before kind == 'assistant'",
    "kind == 'tool' within 3 steps of kind == 'assistant' && tool_calls",
)


def build_tapes() -> list[Any]:
    """Return sessions of tool calls; results are about a kilobyte, like pages and tables."""
    from tapes_app.engine.tape.tape import Tape

    chance = random.Random(7)
    return [Tape(steps=tuple(_steps(chance))) for _ in range(TAPES)]


def _steps(chance: random.Random) -> list[Any]:
    from tapes_app.engine.tape.steps import parse_step

    steps = [parse_step({"kind": "user", "content": "How did the share of amber falcon do?"})]
    while len(steps) < STEPS - 1:
        number = str(len(steps))
        signature = {"agent": "bot", "node": "act", "prompt_id": number}
        words = " ".join(chance.choices(WORDS, k=150))
        arguments = {"query": chance.choice(WORDS), "page": chance.randrange(100)}
        calls = [{"id": number, "function": {"name": "search", "arguments": arguments}}]
        steps += map(
            parse_step,
            (
                {"kind": "assistant", "tool_calls": calls, "metadata": signature},
                {"kind": "set_next_node", "next_node": "act", "metadata": signature},
                {"kind": "tool", "content": f"{words} {number}77", "tool_call_id": number},
            ),
        )
    steps = steps[: STEPS - 1]
    return [*steps, parse_step({"kind": "assistant", "content": "It rose to 477."})]


def lint_pure(tapes: list[Any]) -> float:
    from tapes_app.lint.domain.linter import lint_tape

    begin = time.perf_counter()
    for tape in tapes:
        lint_tape(tape)
    return time.perf_counter() - begin


def lint_stored(project: UUID, tape_ids: list[UUID]) -> float:
    from tapes_app.lint.services.linting import lint_and_keep

    begin = time.perf_counter()
    count = sum(1 for _ in lint_and_keep(project, tape_ids))
    if count != len(tape_ids):
        raise AssertionError(f"{count} tapes linted")
    return time.perf_counter() - begin


def store_all(project: UUID, tapes: list[Any]) -> list[UUID]:
    from tapes_app.lint.store import rules as lint_rules
    from tapes_app.tapes.store.saving import NewTape, save_tapes

    for number, text in enumerate(RULES):
        lint_rules.create_rule(
            project, name=f"rule {number}", text=text, severity="warning", is_enabled=True
        )
    chunks = [tapes[start : start + 100] for start in range(0, len(tapes), 100)]
    return [
        tape_id for chunk in chunks for tape_id in save_tapes(project, [NewTape(t) for t in chunk])
    ]


if __name__ == "__main__":
    with open_store() as store:
        built = build_tapes()
        stored = store_all(store.project, built)
        size = f"{TAPES:,} tapes of {STEPS} steps"
        in_memory = median_of(lambda: lint_pure(built))
        kept = median_of(lambda: lint_stored(store.project, stored))
    finish(
        "lint",
        claim=13,
        goal=GOAL,
        rows=[
            row(f"{size}, detectors alone", in_memory, None, "s (wall)", higher_wins=False),
            row(
                f"{size}, read, linted with 3 rules and kept",
                kept,
                None,
                "s (wall)",
                higher_wins=False,
            ),
        ],
        met=max(in_memory, kept) < LIMIT_SECONDS,
    )
