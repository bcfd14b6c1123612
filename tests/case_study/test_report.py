"""The numbers of a study's report."""

from typing import Any

from optimize_app.case_study.report import TEACHER, write_markdown, write_report
from optimize_app.case_study.settings import StudySettings
from tapes_app.gallery.form_filler.greadth.scores import CRITERIA


def _answer(number: int, *, passes: bool, company: str, tokens: int) -> dict[str, Any]:
    return {
        "key": f"k{number // 2}",
        "company": company,
        "root": f"0/{number // 4}",
        "behaviour": "UserHappyPath" if number % 2 else "UserSkipsOptional",
        "is_valid": passes,
        "error": "",
        "score": dict.fromkeys(CRITERIA, passes),
        "input_tokens": tokens,
        "output_tokens": 10,
        "comparable_tokens": tokens,
    }


def _answers(passing: int, tokens: int) -> list[dict[str, Any]]:
    companies = ("DriveCorp", "ShopCorp")
    return [
        _answer(n, passes=n < passing, company=companies[n % 2], tokens=tokens) for n in range(40)
    ]


def test_arms_are_compared_on_the_same_dialogues_and_priced_alike() -> None:
    lines = {TEACHER: _answers(32, 8000), "student": _answers(30, 1000)}

    whole: dict[str, list[dict[str, object]]] = {
        TEACHER: [{"succeeds": True, "end": "submitted"}] * 4,
        "student": [{"succeeds": n == 0, "end": "invalid" if n else "submitted"} for n in range(4)],
    }

    report = write_report(StudySettings(), lines, whole, {})

    teacher, student = report["arms"][TEACHER], report["arms"]["student"]
    assert (teacher["greadth"], student["greadth"]) == (0.8, 0.75)
    assert teacher["low"] < 0.8 < teacher["high"]
    assert student["invalid_share"] == 0.25
    assert student["by_behaviour"] == {"UserHappyPath": 0.75, "UserSkipsOptional": 0.75}
    paired = report["against_the_teacher"]["student"]
    assert round(paired["difference"], 3) == -0.05
    assert (paired["turns"], paired["dialogues"]) == (40, 20)
    assert round(teacher["dollars_per_million_turns"]) == 14_320
    assert round(report["times_cheaper"]["student"]) == 260
    talked = report["whole"]["student"]
    assert (talked["success"], talked["count"], talked["ends"]["invalid"]) == (0.25, 4, 3)
    assert talked["low"] < 0.25 < talked["high"]
    text = write_markdown(report)
    assert "| student | 40 | 75.0 % |" in text
    assert "| student | 4 | 25.0 % |" in text
    assert "| UserHappyPath | 80.0 % | 75.0 % |" in text
