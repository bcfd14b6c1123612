"""A list of constraints: code decides some, a judge others, and of the last code what it can."""

import json
import re
from typing import Any

import pytest

from optimize_app.evaluation.scoring.judged_constraints import settle, sum_up
from optimize_app.evaluation.scoring.plain_scores import Score
from optimize_app.evaluation.scoring.scorers import (
    CodeConstraint,
    ConstraintJudge,
    HybridConstraint,
    JudgedConstraint,
)
from tapes_app.engine.model.llm import LLMOutput, Prompt, scripts
from tapes_app.experiments.domain.check_kinds import TextCheck
from tapes_app.experiments.domain.checks import ScorePart
from tapes_app.models import JobRecord, LLMCallRecord
from tests.commands.running import fail, run_lines
from tests.evaluation import scorer_plugin  # noqa: F401 - registers its functions
from tests.evaluation.bench import MANY_TASKS, RIGHT, TASKS, Bench, bench, of_many_tasks
from tests.evaluation.test_scoring_over_http import came, score

__all__ = ["bench"]

CHECK = TextCheck(kind="contains", text="km")
NUMBER = {"name": "a number", "by": "code", "check": {"kind": "regex", "pattern": "[0-9]"}}
POLITE = {"name": "polite", "by": "judge", "says": "It is polite."}
CORRECT = {
    "name": "correct",
    "by": "hybrid",
    "check": {"kind": "answer"},
    "says": "It is correct.",
    "settles": "yes",
}


@pytest.mark.parametrize(
    ("value", "settles", "is_settled"),
    [
        (1.0, "both", True),
        (0.0, "both", True),
        (1.0, "yes", True),
        (0.0, "yes", False),
        (1.0, "no", False),
        (0.0, "no", True),
        (None, "both", False),
    ],
)
def test_a_hybrid_one_is_left_to_the_judge_where_its_code_does_not_decide(
    value: float | None, settles: Any, is_settled: bool
) -> None:
    hybrid = HybridConstraint(name="far", check=CHECK, says="It is far.", settles=settles)

    settled = settle(hybrid, Score(value, "so"))

    assert settled.part == (ScorePart("far", value, "so") if is_settled else None)


def test_code_alone_is_not_decided_where_it_cannot_tell() -> None:
    settled = settle(CodeConstraint(name="far", check=CHECK), Score(None, "Nobody knows."))

    assert settled.part == ScorePart("far", None, "Nobody knows.")


def test_the_score_is_a_share_by_weight_or_all_or_nothing_and_tells_what_is_broken() -> None:
    named = [
        JudgedConstraint(name=name, says=f"It is {name}.", weight=weight)
        for name, weight in (("kind", 3), ("short", 1))
    ]
    model = "00000000-0000-0000-0000-000000000001"
    share = ConstraintJudge.model_validate({"model_id": model, "constraints": named})
    whole = share.model_copy(update={"needs_all": True})
    parts = [ScorePart("kind", 1.0, "Yes."), ScorePart("short", 0.0, "It rambles.")]
    unknown = [*parts[:1], ScorePart("short", None, "The judge gave no judgment.")]

    assert sum_up(share, parts).value == 0.75
    assert sum_up(share, parts).explanation == (
        "1 of 2 constraints are met. Not met: short (It rambles)."
    )
    assert sum_up(whole, parts).value == 0
    assert sum_up(share, unknown).value is None
    assert sum_up(share, unknown).explanation == (
        "Not decided: short (The judge gave no judgment)."
    )


def judge(prompt: Prompt) -> LLMOutput:
    """Hold all to be correct, and polite what ends in an even number; of a 0 say nothing."""
    told, shown = prompt.messages[0].text, prompt.messages[1].text
    said = re.findall(r"-?\d+", shown.rpartition("<final_answer>")[2])[0]
    if "It is correct." in told:
        return LLMOutput(content=json.dumps({"holds": True, "reason": "close enough"}))
    if said.endswith("0"):
        return LLMOutput(content='{"holds": "perhaps"}')
    holds = int(said) % 2 == 0
    return LLMOutput(content=json.dumps({"holds": holds, "reason": f"{said} it says"}))


def add_judge(bench: Bench) -> str:
    if "test-constraint-judge" not in scripts:
        scripts.add("test-constraint-judge", judge)
    body = {"name": "strict", "litellm_model": "script:test-constraint-judge"}
    return str(bench.ask("POST", "models", body, 201)["id"])


def cells_of(report: Any, variant: int) -> list[Any]:
    return [task["cells"][variant][0] for task in report["tasks"]]


@of_many_tasks
@pytest.mark.django_db(transaction=True)
@pytest.mark.slow
def test_a_judge_is_asked_about_each_constraint_that_code_leaves_open(bench: Bench) -> None:
    job = bench.finished()
    model = add_judge(bench)
    runs = JobRecord.objects.filter(kind="run").count()
    before = LLMCallRecord.objects.count()

    report = score(
        bench,
        job,
        {
            "kind": "judged_constraints",
            "model_id": model,
            "constraints": [NUMBER, POLITE, CORRECT],
        },
    )

    right, wrong = cells_of(report, 0), cells_of(report, 1)
    unread = sum(cell["passed"] is None for cell in (*right, *wrong))
    rude = [cell for cell in (*right, *wrong) if cell["passed"] is False]
    assert unread
    assert rude
    assert {cell["value"] for cell in rude} == {2 / 3}
    assert all(
        re.fullmatch(
            r"2 of 3 constraints are met\. Not met: polite \(-?\d+ it says\)\.", one["why"]
        )
        for one in rude
    )
    missing = next(cell for cell in (*right, *wrong) if cell["passed"] is None)
    assert missing["why"].startswith("Not decided: polite (The judge gave no judgment.")
    # The right answer is right by code; the judge is asked about the wrong ones alone. What cannot
    # be read is asked twice more.
    calls = LLMCallRecord.objects.count() - before
    assert calls == (2 * MANY_TASKS - unread) + 3 * unread + MANY_TASKS
    assert JobRecord.objects.filter(kind="run").count() == runs
    by = report["decided_by"]
    assert by["words"] == "All constraints are met: a number, polite, correct."
    assert (by["judge"], by["not_scored_count"]) == ("strict", unread)
    opened_one_by_one(bench, job, by["scoring_id"], right, wrong)


def opened_one_by_one(
    bench: Bench, job: str, scoring: str, right: list[Any], wrong: list[Any]
) -> None:
    """A verdict is a tape for each constraint that the judge was asked about."""
    place = f"sweeps/{job}/scorings/{scoring}/verdicts"
    one, both = (
        next(cell for cell in cells if cell["passed"] is not None) for cells in (right, wrong)
    )

    alone = bench.ask("POST", f"{place}/{one['tape_id']}")
    told = bench.ask("POST", f"{place}/{both['tape_id']}")
    opened = told["tape_ids"]

    assert (len(alone["tape_ids"]), alone["constraints"]) == (1, ["polite"])
    assert (len(opened), told["constraints"]) == (2, ["polite", "correct"])
    assert bench.ask("POST", f"{place}/{both['tape_id']}")["tape_ids"] == opened
    verdicts = [bench.ask("GET", f"tapes/{tape}/steps")["items"][1] for tape in opened]
    assert [step["kind"] for step in verdicts] == ["judge_constraint"] * 2
    assert verdicts[1]["body"]["holds"] is True
    shown = bench.ask("GET", f"tapes/{opened[1]}")
    assert (shown["agent_name"], shown["is_archived"]) == ("judge of a constraint", True)


@pytest.mark.django_db(transaction=True)
@pytest.mark.slow
def test_a_function_decides_a_constraint_and_one_that_breaks_is_not_paid_for(
    bench: Bench,
) -> None:
    job = bench.finished(variants=[bench.vary(RIGHT)])
    model = add_judge(bench)
    before = LLMCallRecord.objects.count()

    def judged(*constraints: Any) -> Any:
        return {"kind": "judged_constraints", "model_id": model, "constraints": constraints}

    def hybrid(name: str) -> Any:
        return {**CORRECT, "check": {"kind": "function", "name": name}, "settles": "both"}

    by_function = score(bench, job, judged(hybrid("test-last-digit")))
    assert came(by_function) == [(TASKS, 0, 0)]
    assert LLMCallRecord.objects.count() == before

    unsure = score(bench, job, judged(hybrid("test-unsure")))
    assert came(unsure) == [(TASKS, 0, 0)]
    assert LLMCallRecord.objects.count() == before + TASKS

    broken = score(bench, job, judged(hybrid("test-broken")))
    assert came(broken) == [(0, 0, TASKS)]
    assert "It raised ValueError: never" in cells_of(broken, 0)[0]["why"]
    assert LLMCallRecord.objects.count() == before + TASKS


@pytest.mark.django_db(transaction=True)
@pytest.mark.slow
def test_the_command_line_scores_by_them_and_what_cannot_be_decided_is_refused(
    bench: Bench,
) -> None:
    job = bench.finished(variants=[bench.vary(RIGHT)])
    model = add_judge(bench)

    def judged(*constraints: Any) -> str:
        scorer = {"kind": "judged_constraints", "model_id": model, "constraints": constraints}
        return json.dumps(scorer)

    lines = run_lines("score_sweep", job, "--scorer", judged(NUMBER))
    assert any("All constraints are met: a number." in line for line in lines)
    assert "named 'polite'" in fail("score_sweep", job, "--scorer", judged(POLITE, POLITE))
    same = {**POLITE, "name": "kind"}
    assert "ask the judge the same" in fail("score_sweep", job, "--scorer", judged(POLITE, same))
    gone = {**NUMBER, "check": {"kind": "function", "name": "gone"}}
    assert "no scorer function 'gone'" in fail("score_sweep", job, "--scorer", judged(gone))
    pattern = {**NUMBER, "check": {"kind": "regex", "pattern": "("}}
    assert fail("score_sweep", job, "--scorer", judged(pattern))
    assert fail("score_sweep", job, "--scorer", judged({**POLITE, "says": " "}))
    assert fail("score_sweep", job, "--scorer", judged())
