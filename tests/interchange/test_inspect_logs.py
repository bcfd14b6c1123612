"""Logs of Inspect come in: each sample is a tape with its scores; broken ones are refused."""

import json
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from tapes_app.engine.errors import ImportRefusedError
from tapes_app.interchange.refusals import ImportLimits
from tapes_app.interchange.tape_codec import ImportedTape
from tapes_app.interchange.tapeagents import read_file
from tapes_app.tapes.domain.task_outcome import TaskOutcome, read_task_outcome

RECORDED = Path(__file__).resolve().parent.parent / "recorded" / "inspect" / "sums.eval"
SAMPLE: dict[str, Any] = {
    "id": "a",
    "epoch": 1,
    "target": ["4", "four"],
    "messages": [{"role": "user", "content": "What is 2 + 2?"}],
}


def write_log(path: Path, samples: dict[str, str]) -> Path:
    with ZipFile(path, "w", ZIP_DEFLATED) as file:
        file.writestr("header.json", json.dumps({"eval": {"task": "sums", "model": "m"}}))
        for name, text in samples.items():
            file.writestr(f"samples/{name}.json", text)
    return path


def read(path: Path, **limits: Any) -> list[ImportedTape]:
    found = list(read_file(path, limits=ImportLimits(**limits)))
    return [one for one in found if isinstance(one, ImportedTape)]


def outcome_of(item: ImportedTape) -> TaskOutcome:
    metadata = item.tape.metadata.model_extra or {}
    return read_task_outcome(metadata, item.tape.context, item.tape.steps)


ANSWER = {"role": "assistant", "content": "4"}
"""The right one, as a comparison of texts would find."""


def score(**scores: Any) -> str:
    """Return what a sample with some scores says of its task."""
    messages = [*SAMPLE["messages"], ANSWER]
    values = {name: {"value": v} for name, v in scores.items()}
    return json.dumps({**SAMPLE, "target": "4", "messages": messages, "scores": values})


def test_a_log_that_inspect_wrote_is_tapes_with_calls_and_scores() -> None:
    tapes = read(RECORDED)

    outcomes = {(one.task, one.outcome, one.score, one.expected) for one in map(outcome_of, tapes)}
    assert outcomes == {("sum-1", "pass", 1.0, "21"), ("2", "fail", 0.0, "4")}
    assert len({item.digest for item in tapes}) == len(tapes) == 4
    (first, *_) = [item.tape for item in tapes if outcome_of(item).task == "sum-1"]
    assert [step.kind for step in first.steps] == ["user", "assistant", "tool", "assistant"]
    call, result = first.steps[1].to_json(), first.steps[2].to_json()
    assert call["tool_calls"][0]["function"]["name"] == "add"
    assert call["tool_calls"][0]["id"] == result["tool_call_id"]
    assert result["content"] == "21"
    told = (first.metadata.model_extra or {})["inspect"]
    assert (told["task"], told["model"]) == ("sums", "mockllm/model")
    assert told["scores"]["match"]["explanation"] == "21"


@pytest.mark.parametrize(
    ("value", "outcome", "number"),
    [
        ("C", "pass", 1.0),
        ("N", "fail", 0.0),
        ("P", "", 0.5),
        (0.25, "", 0.25),
        (True, "pass", 1.0),
        (False, "fail", 0.0),
        (2.0, "", 2.0),
        (10**400, "", None),
        ("very good", "", None),
        (None, "", None),
        ([1, 1], "", None),
        ({"style": 1}, "", None),
        ({"style": float("nan")}, "", None),
        (float("nan"), "", None),
        (float("inf"), "", None),
        (float("-inf"), "", None),
    ],
)
def test_a_score_counts_as_what_it_says_and_else_as_nothing(
    tmp_path: Path, value: Any, outcome: str, number: float | None
) -> None:
    (item,) = read(write_log(tmp_path / "a.eval", {"a": score(first=value, second="C")}))

    said = outcome_of(item)
    assert (said.outcome, said.score, said.expected) == (outcome, number, "4")


def test_several_targets_are_one_expected_answer(tmp_path: Path) -> None:
    (item,) = read(write_log(tmp_path / "a.eval", {"a": json.dumps(SAMPLE)}))

    assert outcome_of(item).expected == "4, four"


@pytest.mark.parametrize("scores", [{}, None])
def test_a_sample_that_broke_has_its_error_and_no_score(tmp_path: Path, scores: Any) -> None:
    messages = [*SAMPLE["messages"], ANSWER]
    error = {"message": "out of memory"}
    broken = {**SAMPLE, "target": "4", "messages": messages, "scores": scores, "error": error}
    (item,) = read(write_log(tmp_path / "a.eval", {"a": json.dumps(broken)}))

    assert (outcome_of(item).outcome, outcome_of(item).score) == ("", None)
    assert (item.tape.metadata.model_extra or {})["inspect"]["error"] == "out of memory"


@pytest.mark.parametrize(
    ("samples", "limits", "reason", "position"),
    [
        ({}, {}, "no samples", ""),
        ({"a": "{"}, {}, "not valid JSON", "samples/a.json"),
        ({"a": "[]"}, {}, "not a JSON object", "samples/a.json"),
        ({"a": "{}"}, {}, "no list 'messages'", "samples/a.json"),
        ({"a": '{"messages": [{"role": 3}]}'}, {}, "'role'", "samples/a.json, message 0"),
        ({"a": " " * 9_000}, {"max_tape_bytes": 500}, "more than 500 bytes", "samples/a.json"),
        ({"a": " " * 9_000}, {"max_unpacked_bytes": 900}, "larger than 900 bytes", ""),
        ({"a": " " * 99_000}, {"ratio_free_bytes": 9, "max_ratio": 9}, "times its size", ""),
    ],
)
def test_a_broken_log_is_refused_with_the_place(
    tmp_path: Path, samples: dict[str, str], limits: Any, reason: str, position: str
) -> None:
    path = write_log(tmp_path / "a.eval", samples)

    with pytest.raises(ImportRefusedError) as refused:
        read(path, **limits)

    assert reason in str(refused.value)
    assert refused.value.details["position"].startswith(position)


def test_a_log_whose_numbers_json_does_not_have_comes_in(tmp_path: Path) -> None:
    sample = json.loads(score(first="C"))
    call = {"id": "1", "function": "add", "arguments": {"x": float("inf")}}
    sample["messages"][1]["tool_calls"] = [call]
    sample["metadata"] = {"logprob": float("-inf")}
    path = write_log(tmp_path / "a.eval", {"a": json.dumps(sample)})
    with ZipFile(path, "a") as file:
        file.writestr("_journal/summaries/1.json", "[NaN]")

    (item,) = read(path)

    assert outcome_of(item).outcome == "pass"
    assert (
        '"x": "Infinity"' in item.tape.steps[1].to_json()["tool_calls"][0]["function"]["arguments"]
    )


def test_a_header_in_another_encoding_is_refused_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "a.eval"
    with ZipFile(path, "w") as file:
        file.writestr("header.json", json.dumps({"eval": {}}).encode("utf-16"))

    with pytest.raises(ImportRefusedError, match="UTF-16") as refused:
        read(path)

    assert refused.value.details["position"] == "header.json"


def test_members_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    (item,) = read(write_log(tmp_path / "a.eval", {"a": "\ufeff" + score(first="C")}))

    assert outcome_of(item).outcome == "pass"


def test_a_log_with_a_damaged_member_is_refused(tmp_path: Path) -> None:
    content = bytearray(RECORDED.read_bytes())
    content[200:1500] = b"x" * 1300
    path = tmp_path / "a.eval"
    path.write_bytes(content)

    with pytest.raises(ImportRefusedError, match="corrupt"):
        read(path)
