"""Claim 11: what it costs to fork a tape of 3,000 steps 100 times."""

import statistics
import time
from collections.abc import Callable

from harness import Row, add_repository_to_path, finish, row, run_peer

add_repository_to_path()

from store import open_store  # noqa: E402

STEPS = 3_000
FORKS = 100
MOST_BYTES = 0.01
MOST_SECONDS = 0.020
GOAL = "under 1 % of a full copy in step bodies; under 20 ms each"


def median_seconds(action: Callable[[], object]) -> float:
    times = []
    for _ in range(FORKS):
        begin = time.perf_counter()
        action()
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


def main() -> None:
    with open_store() as store:
        from django.db import connection
        from runs import full_history_run

        from tapes_app.engine.tape.tape import Tape
        from tapes_app.tapes.store.edits import fork_tape
        from tapes_app.tapes.store.loading import load_tape
        from tapes_app.tapes.store.saving import save_tape

        steps, calls = full_history_run(STEPS)
        tape_id = save_tape(store.project, Tape(steps=steps), calls=calls)

        def body_bytes() -> int:
            with connection.cursor() as cursor:
                cursor.execute("SELECT SUM(LENGTH(body)) FROM step")
                return int(cursor.fetchone()[0])

        copy, size = body_bytes(), store.size()
        full = median_seconds(lambda: fork_tape(tape_id, project=store.project))
        bodies = body_bytes() - copy
        grown = (store.size() - size) / FORKS
        cut = median_seconds(lambda: fork_tape(tape_id, project=store.project, at=STEPS // 2))
        last = fork_tape(tape_id, project=store.project)
        if load_tape(last, store.project).steps != steps:
            raise SystemExit("a fork does not show all steps")

    peer = run_peer("tapeagents", "tapeagents_storage", "forks", STEPS, FORKS)
    rows = [
        row("one fork, all stored", grown / 1e3, peer["bytes"] / 1e3, "kB", higher_wins=False),
        # A fork of the peer is a full copy, so 100 forks are 100 copies.
        row("100 forks, step bodies", bodies / copy, float(FORKS), "copies", higher_wins=False)
        if bodies
        else Row("100 forks, step bodies", 0, float(FORKS), "copies", None),
        row("fork the whole tape", full * 1e3, peer["seconds"] * 1e3, "ms", higher_wins=False),
        row("fork in the middle", cut * 1e3, peer["seconds"] * 1e3, "ms", higher_wins=False),
    ]
    finish(
        "fork_cost",
        claim=11,
        goal=GOAL,
        rows=rows,
        met=bodies / copy < MOST_BYTES and max(full, cut) < MOST_SECONDS,
        peer="TapeAgents 0.1.16",
    )


if __name__ == "__main__":
    main()
