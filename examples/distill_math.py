"""Distill the solver of word problems into a tiny student, with the studio's own commands.

    .venv/bin/python examples/distill_math.py

Every step can also be done in the pages; docs/distillation.md has the story and the numbers.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

MANAGE = [sys.executable, str(Path(__file__).resolve().parent.parent / "manage.py")]
BASE, STUDENT, EXAM = "tiny-base", "math-student", "math-test"
FREE = ["--set", 'response_format={"type": "text"}']
TRAIN = {"math-train-1": 1, "math-train-2": 2, "math-train-3": 3}
"""Datasets of 1,000 problems with their seeds: enough that each is read only once."""


def studio(command: str, *arguments: str) -> dict[str, Any]:
    """Run a command of the studio and return the JSON object that it prints."""
    asked = [*MANAGE, command, *arguments, "--json"]
    answer = json.loads(subprocess.run(asked, stdout=subprocess.PIPE, check=False).stdout)
    if "error" in answer:
        sys.exit(answer["error"]["message"])
    return dict(answer)


def record_teacher() -> None:
    """Make problems, and tapes on which the teacher solves them, some of them wrongly."""
    for name, seed in TRAIN.items():
        problems = ("--split", "train", "--count", "1000", "--seed", str(seed), "--dataset", name)
        studio("make_problems", *problems)
        studio(
            "rerun_tapes", "--agent", "math", "-q", f"dataset:{name}", "--batch", f"teacher {name}"
        )


def train_student() -> None:
    """Learn once from each tape whose answer is right."""
    studio("make_base_model", "--name", BASE)
    solved = " OR ".join(f'batch:"teacher {name}"' for name in TRAIN)
    studio("make_training_set", "math", "-q", f"({solved}) outcome:pass")
    config = ("--base", BASE, "--preset", "tiny-full", "--set", "epochs=1")
    studio("finetune", STUDENT, "--training-set", "math", *config)


@contextmanager
def served(name: str) -> Iterator[str]:
    """Serve an adapter during the block, and provide its name as an LLM model."""
    with subprocess.Popen([*MANAGE, "serve", name], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        if "is ready" not in (line := server.stdout.readline()):
            sys.exit(line or "The student cannot be served.")
        yield line.split(" ", 1)[0]
        server.terminate()


def examine(batch: str, *options: str) -> None:
    """Let the agent's own model, or another one, solve the test problems, and print how many."""
    studio("rerun_tapes", "--agent", "math", "-q", f"dataset:{EXAM}", "--batch", batch, *options)
    summary = studio("summarise_tapes", "-q", f"batch:{batch}")["summary"]
    print(f"{batch}: {(summary['pass_rate'] or {'value': 0})['value']:.0%} right.")


def main() -> None:
    record_teacher()
    studio("make_problems", "--split", "test", "--count", "200", "--seed", "2")
    examine("teacher-exam")
    train_student()
    with served(STUDENT) as model:
        examine("student-exam", "--model", model)
        examine("student-exam-free", "--model", model, *FREE)


if __name__ == "__main__":
    main()
