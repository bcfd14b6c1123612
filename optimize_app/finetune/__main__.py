"""`python -m optimize_app.finetune RUN_DIR [--dry-run]`, also under `accelerate launch`.

Exit status: 0 the run has finished, 2 it cannot start or continue (a sentence explains why), 3 it
was stopped and the same command continues it, 4 another trainer uses the folder.
"""

import argparse
import json
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from optimize_app.finetune.trainer.errors import DeviceError, TrainingFailedError
from optimize_app.finetune.trainer.room import explaining_full_disk
from optimize_app.finetune.trainer.run_folder import RunFolder, write_json, write_text
from optimize_app.finetune.trainer.threads import limit_threads, wait_passively
from tapes_app.engine.errors import StudioError

if TYPE_CHECKING:
    from optimize_app.finetune.trainer.prepared_run import PreparedRun

FINISHED, REFUSED, STOPPED, BUSY = 0, 2, 3, 4


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m optimize_app.finetune", description=__doc__)
    parser.add_argument("run_dir", type=Path, help="folder with config.json and samples.jsonl")
    parser.add_argument(
        "--dry-run",
        action="store_true",
        help="check everything, print the resolved config and plan, and train nothing",
    )
    parser.add_argument(
        "--memory-limit", type=int, metavar="BYTES", help="how much memory the run may need"
    )
    options = parser.parse_args(arguments)
    wait_passively()
    folder, limit = RunFolder(options.run_dir), options.memory_limit
    try:
        _check_launch()
        return _dry_run(folder, limit) if options.dry_run else _train_alone(folder, limit)
    except BlockingIOError:
        print("Another trainer uses this folder.", file=sys.stderr)
        return BUSY
    except StudioError as error:
        if not options.dry_run and folder.path.is_dir():
            _write_failure(folder, error)
        print(error.message, file=sys.stderr)
        return REFUSED


def _write_failure(folder: RunFolder, error: StudioError) -> None:
    state = "failed" if isinstance(error, TrainingFailedError) else "refused"
    problem = {"code": error.code, "message": error.message, "details": error.details}
    with suppress(OSError):  # the disk may be full
        write_json(folder.result_file, {"state": state, **problem})


def _dry_run(folder: RunFolder, limit: int | None) -> int:
    from optimize_app.finetune.trainer.prepared_run import prepare

    run = prepare(folder, memory_limit=limit)
    print(json.dumps(run.resolved(), indent=2, ensure_ascii=False))
    return FINISHED


def _train_alone(folder: RunFolder, limit: int | None) -> int:
    """Train unless another process does; the processes of one launch count as one."""
    if not _is_main() or not folder.path.is_dir():
        return _train(folder, limit)
    with folder.hold():
        return _train(folder, limit)


def _check_launch() -> None:
    """Reject a launch that would hang forever when it saves: a model sharded by accelerate."""
    for plugin in ("FSDP", "DEEPSPEED"):
        if os.environ.get(f"ACCELERATE_USE_{plugin}", "").lower() == "true":
            raise DeviceError(
                f"accelerate is configured for {plugin}, with which this trainer cannot save. Set "
                '"sharded" to true in config.json and launch without it.'
            )


def _is_main() -> bool:
    """Return whether this process reports for its launch."""
    return os.environ.get("RANK", "0") == "0"


def _train(folder: RunFolder, limit: int | None) -> int:
    signalled: list[int] = []

    def remember(number: int, _frame: FrameType | None) -> None:
        signalled.append(number)

    # Before anything heavy is loaded, so that a stop that arrives early is noticed as well.
    # Clusters send SIGUSR2 some time before they reclaim a machine.
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGUSR2):
        signal.signal(number, remember)

    from optimize_app.finetune.trainer.prepared_run import prepare
    from optimize_app.finetune.trainer.training import Outcome, Trainer

    def is_cancelled() -> bool:
        return bool(signalled) or folder.must_stop()

    threads = limit_threads()
    run = prepare(folder, memory_limit=limit)
    if _is_main():
        for note in (threads, *run.plan.notes):
            print(note, flush=True)
    if folder.is_finished(run.config_hash, run.data_hash):
        print("The run is finished already; nothing was done.")
        return FINISHED
    folder.result_file.unlink(missing_ok=True)  # left by a failed attempt
    if not _wait_for_memory(run, limit, is_cancelled):
        outcome = Outcome("cancelled", 0, "Stopped while it waited for memory; it can be resumed.")
        if _is_main():
            write_json(folder.result_file, asdict(outcome))
    else:
        with explaining_full_disk(folder.path):
            trainer = Trainer(run, is_cancelled=is_cancelled)
            outcome = trainer.run()
            trainer.end(outcome)
    folder.stop_file.unlink(missing_ok=True)  # it has been obeyed, so the next start continues
    print(outcome.message)
    return STOPPED if outcome.state == "cancelled" else FINISHED


def _wait_for_memory(
    run: "PreparedRun", limit: int | None, is_cancelled: Callable[[], bool]
) -> bool:
    """Wait until the run fits, and note that in its folder; return whether it does."""
    from optimize_app.finetune.trainer.memory import read_memory, wait_for_memory

    if run.config.too_little_memory != "wait":
        return True
    waiting = run.folder.waiting_file
    fits = wait_for_memory(
        run.plan.expected_memory,
        lambda: read_memory(run.device, limit),
        must_stop=is_cancelled,
        report=lambda message: write_text(waiting, message) if _is_main() else None,
    )
    waiting.unlink(missing_ok=True)
    return fits


if __name__ == "__main__":
    sys.exit(main())
