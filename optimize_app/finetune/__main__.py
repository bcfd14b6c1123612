"""`python -m optimize_app.finetune RUN_DIR [--dry-run]`, also under `accelerate launch`.

Exit status: 0 the run is finished, 2 it cannot start or go on (a sentence says why), 3 it was
stopped and the same command goes on with it, 4 another trainer is at work on the folder.
"""

import argparse
import json
import os
import signal
import sys
from pathlib import Path
from types import FrameType

from optimize_app.finetune.trainer.errors import TrainingFailedError
from optimize_app.finetune.trainer.run_folder import RunFolder, write_json
from tapes_app.engine.errors import StudioError

FINISHED, REFUSED, STOPPED, BUSY = 0, 2, 3, 4


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m optimize_app.finetune", description=__doc__)
    parser.add_argument("run_dir", type=Path, help="folder with config.json and samples.jsonl")
    parser.add_argument(
        "--dry-run",
        action="store_true",
        help="check everything, print the resolved config and plan, and train nothing",
    )
    options = parser.parse_args(arguments)
    folder = RunFolder(options.run_dir)
    try:
        return _dry_run(folder) if options.dry_run else _train_alone(folder)
    except BlockingIOError:
        print("Another trainer is at work on this folder.", file=sys.stderr)
        return BUSY
    except StudioError as error:
        if not options.dry_run and folder.path.is_dir():
            state = "failed" if isinstance(error, TrainingFailedError) else "refused"
            write_json(
                folder.result_file,
                {
                    "state": state,
                    "code": error.code,
                    "message": error.message,
                    "details": error.details,
                },
            )
        print(error.message, file=sys.stderr)
        return REFUSED


def _dry_run(folder: RunFolder) -> int:
    from optimize_app.finetune.trainer.prepared_run import prepare

    print(json.dumps(prepare(folder).resolved(), indent=2, ensure_ascii=False))
    return FINISHED


def _train_alone(folder: RunFolder) -> int:
    """Train unless another process does; the processes of one launch count as one."""
    if os.environ.get("RANK", "0") != "0" or not folder.path.is_dir():
        return _train(folder)
    with folder.hold():
        return _train(folder)


def _train(folder: RunFolder) -> int:
    signalled: list[int] = []

    def remember(number: int, _frame: FrameType | None) -> None:
        signalled.append(number)

    # Before anything heavy is loaded: whoever stops the run early must be heard as well.
    signal.signal(signal.SIGTERM, remember)
    signal.signal(signal.SIGINT, remember)

    from optimize_app.finetune.trainer.prepared_run import prepare
    from optimize_app.finetune.trainer.training import Trainer

    run = prepare(folder)
    if folder.is_finished(run.config_hash, run.data_hash):
        print("The run is finished already; nothing was done.")
        return FINISHED
    folder.result_file.unlink(missing_ok=True)  # of an attempt that failed
    trainer = Trainer(run, is_cancelled=lambda: bool(signalled) or folder.must_stop())
    outcome = trainer.run()
    trainer.write_outcome(outcome)
    folder.stop_file.unlink(missing_ok=True)  # it was obeyed: the next start goes on
    print(outcome.message)
    return STOPPED if outcome.state == "cancelled" else FINISHED


if __name__ == "__main__":
    sys.exit(main())
