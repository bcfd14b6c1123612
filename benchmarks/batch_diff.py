"""Claim 7: compare two batches of 100 tapes.

A tape of the second batch did the same task again: a third of them have a step inserted, a third
diverge at some step, the rest are the same. The peer shows one pair after the other, with steps
paired by index.
"""

import json
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from harness import Row, add_repository_to_path, finish, median_of, row, run_peer

add_repository_to_path()

from store import open_store  # noqa: E402 - needs the repository on the path

IS_SMOKE = "--smoke" in sys.argv
TAPES = 6 if IS_SMOKE else 100
STEPS = 30
WORDS_OF_RESULT = 400
MOST_SECONDS = 1.0
GOAL = "two batches of 100 tapes in under 1 s, aligned, with totals"


def make_batches() -> tuple[list[Any], list[Any]]:
    """Return the steps, as JSON, of the tapes of two batches."""
    chance = random.Random(7)
    words = [f"{chance.choice('bcdfgklmnprst')}{chance.choice('aeiou')}{n}" for n in range(3_000)]
    left = [_make_steps(chance, words, number) for number in range(TAPES)]
    return left, [_done_again(chance, words, steps, at) for at, steps in enumerate(left)]


def _make_steps(chance: random.Random, words: list[str], number: int) -> list[dict[str, Any]]:
    steps: list[dict[str, Any]] = [{"kind": "user", "content": f"What is known of {number}?"}]
    while len(steps) < STEPS:
        steps.append(_step("assistant_thought", chance, words, 30))
        steps.append(_step("tool", chance, words, WORDS_OF_RESULT))
    return [*steps[: STEPS - 1], _step("assistant", chance, words, 20)]


def _step(kind: str, chance: random.Random, words: list[str], count: int) -> dict[str, Any]:
    return {"kind": kind, "content": " ".join(chance.choices(words, k=count))}


def _done_again(
    chance: random.Random, words: list[str], steps: list[dict[str, Any]], number: int
) -> list[dict[str, Any]]:
    at = chance.randrange(1, STEPS - 1)
    if number % 3 == 0:
        return [*steps[:at], _step("assistant_thought", chance, words, 30), *steps[at:]]
    if number % 3 == 1:
        other = _make_steps(chance, words, number)
        return [*steps[:at], *other[at:]]
    return steps


def store_batch(project: Any, name: str, tapes: list[Any]) -> Any:
    from tapes_app.engine.tape.steps import parse_step
    from tapes_app.engine.tape.tape import Tape
    from tapes_app.tapes.store.batches import ensure_batch
    from tapes_app.tapes.store.saving import NewTape, save_tapes

    batch = ensure_batch(project, name).id
    made = [
        NewTape(Tape(steps=tuple(map(parse_step, steps))).with_metadata(task=f"task {number}"))
        for number, steps in enumerate(tapes)
    ]
    save_tapes(project, made, batch=batch)
    return batch


def main() -> None:
    left, right = make_batches()
    with open_store() as store:
        from tapes_app.batches.services.comparison import diff_batches
        from tapes_app.projects.services.people import Person
        from tapes_app.tapes.services.diff import diff_tapes

        person = Person(0, "bench", store.project, "bench", "owner")
        old = store_batch(store.project, "before", left)
        new = store_batch(store.project, "after", right)

        def compare() -> float:
            begin = time.perf_counter()
            found = diff_batches(person, old, new)
            seconds = time.perf_counter() - begin
            if len(found.pairs) != TAPES or found.equal_count != TAPES // 3:
                raise AssertionError(f"{len(found.pairs)} pairs, {found.equal_count} equal")
            return seconds

        def open_all() -> float:
            pairs = diff_batches(person, old, new).pairs
            begin = time.perf_counter()
            for pair in pairs:
                diff_tapes(person, pair.left.id, pair.right.id)
            return time.perf_counter() - begin

        compared, opened = median_of(compare, repeats=5), median_of(open_all)
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / f"{side}.json" for side in ("left", "right")]
        for path, tapes in zip(paths, (left, right), strict=True):
            path.write_text(json.dumps([{"steps": steps} for steps in tapes]))
        theirs = run_peer("tapeagents", "tapeagents_batch_diff", *paths, TAPES)["seconds"]
    size = f"{TAPES} pairs of {STEPS} steps"
    rows: list[Row] = [
        row(f"{size}: aligned, with totals", compared, theirs, "s (wall)", higher_wins=False),
        row(
            f"{size}: and each pair opened, word by word",
            compared + opened,
            theirs,
            "s (wall)",
            higher_wins=False,
        ),
    ]
    finish(
        "batch_diff_smoke" if IS_SMOKE else "batch_diff",
        claim=7,
        goal=GOAL,
        rows=rows,
        met=compared < MOST_SECONDS,
        peer="TapeAgents 0.1.16, every pair rendered as by its diff script, by index",
    )


if __name__ == "__main__":
    main()
