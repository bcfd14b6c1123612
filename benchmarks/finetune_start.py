"""From Start to the first optimizer step of a small finetune: processor time, and where it goes.

Each case is a separate process that does what the previous case does and something more; rows are
the differences. We measure processor time, because on a shared machine the wall clock includes
other programs.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from harness import HERE, add_repository_to_path, finish, median_of, row

add_repository_to_path()

from tests.finetune.folders import make_base, make_chats, write_run  # noqa: E402

GOAL = "told, not bounded: where the processor time before the first step goes"
IMPORTS = {
    "Python and our own modules": "import optimize_app.finetune.__main__",
    "importing torch": "import optimize_app.finetune.__main__, torch",
    "importing transformers, peft and accelerate": (
        "import optimize_app.finetune.__main__, optimize_app.finetune.trainer.prepared_run"
    ),
}


def measure(*arguments: str) -> float:
    """Return the processor time of a Python process in seconds, including its children."""
    command = [sys.executable, *arguments]
    started = subprocess.Popen(command, cwd=HERE.parent, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(started.pid, 0)
    started.returncode = os.waitstatus_to_exitcode(status)
    if started.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {started.returncode}")
    return used.ru_utime + used.ru_stime


def train_one_step(run: Path) -> float:
    """Train one step from scratch, without what a finetune does after its last one."""
    for left in ("checkpoints", "adapter"):
        shutil.rmtree(run / left, ignore_errors=True)
    for file in ("result.json", "metrics.jsonl", "resolved.json"):
        (run / file).unlink(missing_ok=True)
    return measure("-m", "optimize_app.finetune", str(run))


if __name__ == "__main__":
    with TemporaryDirectory() as name:
        base = make_base(Path(name) / "base")
        run = write_run(Path(name) / "run", base, make_chats(50), steps=1)
        cases = {case: median_of(lambda: measure("-c", code)) for case, code in IMPORTS.items()}  # noqa: B023
        dry = median_of(lambda: measure("-m", "optimize_app.finetune", str(run), "--dry-run"))
        cases["reading the base and 50 examples, planning"] = dry
        cases["the first step, and saving what it came to"] = median_of(lambda: train_one_step(run))
        steps = [json.loads(one) for one in (run / "metrics.jsonl").read_text().splitlines()]
        assert [one["event"] for one in steps].count("step") == 1
    rows, before = [], 0.0
    for case, seconds in cases.items():
        rows.append(row(case, seconds - before, None, "s (processor)", higher_wins=False))
        before = seconds
    rows.append(row("all of it", before, None, "s (processor)", higher_wins=False))
    finish("finetune_start", claim=10, goal=GOAL, rows=rows, met=True)
