"""Sweeps decided by the linter, and by a Python function of a plugin."""

from hashlib import blake2b
from pathlib import Path
from typing import Any

import pytest

from optimize_app.evaluation.card import SweepCard
from optimize_app.evaluation.pins import FunctionPin
from tapes_app.models import TapeRecord
from tests.commands.running import fail, run_lines
from tests.evaluation import scorer_plugin
from tests.evaluation.bench import MANY_TASKS, RIGHT, TASKS, Bench, bench, of_many_tasks
from tests.evaluation.test_scoring_over_http import came, score

__all__ = ["bench"]

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.slow,
]


def whys(report: Any) -> list[str]:
    return sorted(cell["why"] for task in report["tasks"] for cell in task["cells"][0])


def test_the_linter_decides_by_a_detector_or_by_a_rule_as_it_was(bench: Bench) -> None:
    rule = {"name": "mute", "text": "never family == 'action'"}
    kept = bench.ask("POST", "lint/rules", rule, 201)
    bench.ask("PATCH", "lint/detectors/repeated_action", {"is_enabled": False})
    job = bench.start(variants=[bench.vary(RIGHT)])
    bench.finish(job)

    by_detector = score(bench, job, {"kind": "lint", "detector": "repeated_action"})
    by_rule = score(bench, job, {"kind": "lint", "detector": "rule:mute"})
    bench.ask("PATCH", f"lint/rules/{kept['id']}", {"text": "never kind == 'nothing'"})
    by_changed = score(bench, job, {"kind": "lint", "detector": "rule:mute"})

    assert came(by_detector) == [(TASKS, 0, 0)]
    assert came(by_rule) == [(0, TASKS, 0)]
    assert came(by_changed) == [(TASKS, 0, 0)]
    assert by_rule["decided_by"]["words"] == "The linter finds nothing by 'mute'."
    assert by_rule["decided_by"]["scorer"]["rule"] == rule["text"]
    assert "This step is what the rule forbids." in whys(by_rule)[0]
    assert came(bench.look(job, f"?by={by_rule['decided_by']['scoring_id']}")) == [(0, TASKS, 0)]


def test_findings_in_what_the_task_gives_do_not_count(bench: Bench) -> None:
    job = bench.finished(variants=[bench.vary(RIGHT)])

    report = score(
        bench, job, {"kind": "lint", "detector": "rule:no task", "rule": "never kind == 'user'"}
    )

    assert came(report) == [(TASKS, 0, 0)]


def test_a_detector_or_a_rule_that_is_not_there_decides_nothing(bench: Bench) -> None:
    job = bench.start()
    path = f"sweeps/{job}/scorings"

    def refused(expect: int, **lint: str) -> str:
        asked = {"scorer": {"kind": "lint", **lint}}
        return str(bench.ask("POST", path, asked, expect)["message"])

    assert "no detector 'guess'" in refused(404, detector="guess")
    assert "no rule 'guess'" in refused(404, detector="rule:guess")
    assert "'always' or 'never'" in refused(422, detector="rule:mine", rule="sometimes")
    assert bench.look(job)["scorings"] == []
    assert "no rule" in fail("score_sweep", job, "--scorer", '{"kind":"lint","detector":"rule:x"}')


def test_a_function_of_a_plugin_decides(bench: Bench) -> None:
    offered = bench.ask("GET", "scorer-functions")
    job = bench.start(scoring={"scorer": {"kind": "function", "name": "test-last-digit"}})

    report = bench.finish(job)

    told = {one["name"]: one["description"] for one in offered}
    assert told["test-last-digit"].startswith("A quarter for an answer, all of it where")
    right, wrong = report["variants"]
    assert right["passed_count"] == TASKS
    assert 0.25 <= wrong["mean_value"]["estimate"]["value"] < 1
    assert wrong["missing_count"] == 0
    assert whys(report)[0].startswith("It ends in ")
    assert report["decided_by"]["words"] == "The function 'test-last-digit' gives 0.5 or more."
    unknown = {"scorer": {"kind": "function", "name": "os.system"}}
    message = bench.ask("POST", f"sweeps/{job}/scorings", unknown, 422)["message"]
    assert "no scorer function 'os.system'; there are ['math', 'test-broken'" in message
    lines = run_lines("score_sweep", job, "--scorer", '{"kind":"function","name":"test-misdeed"}')
    assert "Decided by: The function 'test-misdeed' gives 0.5 or more." in lines[-2]
    _is_on_the_card_by_its_code(bench, job)


def _is_on_the_card_by_its_code(bench: Bench, job: str) -> None:
    card = SweepCard.model_validate(bench.ask("GET", f"sweeps/{job}/card"))
    other = FunctionPin(name="test-last-digit", digest="0" * 32)
    changed = card.model_copy(update={"function": other}).sealed().model_dump(mode="json")

    refused = bench.ask("POST", "sweeps/from-card", {"card": changed}, expect=409)

    code = Path(scorer_plugin.__file__).read_bytes()
    digest = blake2b(code, digest_size=16).hexdigest()
    assert card.function == FunctionPin(name="test-last-digit", digest=digest)
    assert refused["code"] == "card_mismatch"
    assert "'test-last-digit' differs from the one on the card" in refused["message"]


@of_many_tasks
def test_a_function_that_raises_hangs_or_prints_a_gigabyte_leaves_the_others_scored(
    bench: Bench,
) -> None:
    misdeeds = {
        "raise_error": "It raised LookupError: no such answer.",
        "hang": "It took more than 10 seconds.",
        "print_a_gigabyte": "It printed more than 64 KiB.",
        "return_text": "It did not return a score: str is neither True, False nor a number.",
        "end_process": "Its process ended (exit 3) before it gave a score.",
    }
    tapes = TapeRecord.objects.filter(parent=None).order_by("id").values_list("id", flat=True)
    for tape, misdeed in zip(tapes, misdeeds, strict=False):
        bench.ask("PATCH", f"tapes/{tape}", {"expected": misdeed})
    job = bench.start(variants=[bench.vary(RIGHT)])
    bench.finish(job)

    report = score(bench, job, {"kind": "function", "name": "test-misdeed"})

    assert came(report) == [(MANY_TASKS - len(misdeeds), 0, len(misdeeds))]
    failed = [why for why in whys(report) if "failed" in why]
    assert failed == sorted(
        f"The scorer function 'test-misdeed' failed. {sentence}" for sentence in misdeeds.values()
    )
