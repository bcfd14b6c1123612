"""Claim 3: bytes stored for one run in which every prompt has all steps so far."""

import sys

from harness import add_repository_to_path, finish, row, run_peer

add_repository_to_path()

from store import Store, open_store, table_sizes  # noqa: E402

LENGTHS = (300, 1_000, 3_000)
LEAST_RATIO = 40
GOAL = "40 times less than the peer at 3,000 steps; linear in the number of steps"
LINEAR = 1.1
"""Bytes per step in the longest run may exceed those in the shortest by at most this factor."""


def bytes_of_run(store: Store, step_count: int) -> int:
    """Store a run as a worker does: after every node run, its steps with their call."""
    from runs import full_history_run

    from tapes_app.engine.tape.tape import Tape
    from tapes_app.tapes.store.calls import CallWriter, list_calls
    from tapes_app.tapes.store.loading import load_tape
    from tapes_app.tapes.store.saving import save_tape
    from tapes_app.tapes.store.tapes import append_steps

    before = store.size()
    steps, calls = full_history_run(step_count)
    tape_id = save_tape(store.project, Tape(steps=steps[:1]))
    writer = CallWriter(store.project)
    for turn, call in enumerate(calls):
        position = 1 + 2 * turn
        append_steps(
            tape_id,
            steps[position : position + 2],
            project=store.project,
            expected_count=position,
            calls=[call],
            call_writer=writer,
        )
    size = store.size() - before
    if load_tape(tape_id, store.project).steps != steps:
        raise SystemExit("the stored tape is not the tape of the run")
    if [row.call for row in list_calls(tape_id, store.project)] != calls:
        raise SystemExit("the stored calls are not the calls of the run")
    return size


def main() -> None:
    rows = []
    sizes: dict[int, tuple[int, int]] = {}
    with open_store() as store:
        for length in LENGTHS:
            ours = bytes_of_run(store, length)
            peer = run_peer("tapeagents", "tapeagents_storage", "run", length)
            sizes[length] = (ours, peer)
            case = f"one run of {length:,} steps"
            rows.append(row(case, ours / 1e6, peer / 1e6, "MB", higher_wins=False))
        if "--tables" in sys.argv:
            for name, size in table_sizes().items():
                print(f"{size:>10} {name}")
    short, long = LENGTHS[0], LENGTHS[-1]
    growth = (sizes[long][0] / long) / (sizes[short][0] / short)
    peer_growth = (sizes[long][1] / long) / (sizes[short][1] / short)
    case = f"bytes per step at {long:,} over those at {short:,}"
    rows.append(row(case, growth, peer_growth, "x", higher_wins=False))
    ratio = sizes[long][1] / sizes[long][0]
    finish(
        "storage_bytes",
        claim=3,
        goal=GOAL,
        rows=rows,
        met=ratio >= LEAST_RATIO and growth <= LINEAR,
        peer="TapeAgents 0.1.16",
    )


if __name__ == "__main__":
    main()
