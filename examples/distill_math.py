"""Distill the solver of word problems into a tiny student, by the studio's own commands.

    .venv/bin/python examples/distill_math.py

Every step can be done in the pages too; docs/distillation.md tells the story and the numbers.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

MANAGE = Path(__file__).resolve().parent.parent / "manage.py"
BASE, STUDENT, EXAM = "tiny-base", "math-student", "math-test"


def studio(command: str, *arguments: str) -> dict[str, Any]:
    """Run a command of the studio and return the JSON object that it prints."""
    asked = [sys.executable, str(MANAGE), command, *arguments, "--json"]
    answer = json.loads(subprocess.run(asked, stdout=subprocess.PIPE, check=False).stdout)
    if "error" in answer:
        sys.exit(answer["error"]["message"])
    return dict(answer)


def record_teacher() -> None:
    """Make problems, and tapes on which the teacher solves them; 7 % of them wrongly."""
    studio("make_problems", "--split", "train", "--count", "600", "--seed", "1")
    studio("rerun_tapes", "--agent", "math", "-q", "dataset:math-train", "--batch", "teacher")


def train_student() -> None:
    """Learn from the tapes whose answer is right."""
    studio("make_base_model", "--name", BASE)
    studio("make_training_set", "math", "-q", "batch:teacher outcome:pass")
    studio("finetune", STUDENT, "--training-set", "math", "--base", BASE, "--set", "epochs=6")


def examine(name: str, *model: str) -> float:
    """Let somebody solve the test problems; return the share of right answers."""
    studio("rerun_tapes", "--agent", "math", "-q", f"dataset:{EXAM}", "--batch", name, *model)
    summary = studio("summarise_tapes", "-q", f"batch:{name}")["summary"]
    return float(summary["passed_count"] / summary["tape_count"])


def main() -> None:
    record_teacher()
    studio("make_problems", "--split", "test", "--count", "200", "--seed", "2")
    print(f"The teacher solves {examine('teacher-exam'):.0%} of the test problems.")
    train_student()
    print(
        f"The student {STUDENT!r} is trained; serve it and examine('student-exam', '--model', …)."
    )


if __name__ == "__main__":
    main()
