"""A scorer function runs in a process of its own: whatever it does, the next score comes."""

from pathlib import Path
from typing import Any

import pytest

from optimize_app.evaluation.scoring import function_program
from optimize_app.evaluation.scoring.function_runs import FunctionError, FunctionRuns
from optimize_app.evaluation.scoring.functions import read_returned, scorer_functions
from tapes_app.engine.tape.dialog_steps import AssistantStep, UserStep
from tapes_app.engine.tape.tape import Tape
from tests.evaluation import scorer_plugin  # noqa: F401 - registers its functions
from tests.sandbox.apart import run_apart
from tests.sandbox.bare_system import take_walls_away

_UNSEEN = r"PermissionError|FileNotFoundError"
_REFUSED = "[Errno 1] Operation not permitted"
_FILE = "/tmp/scorer-function-wrote-this"

TAPE = Tape(steps=(UserStep(content="How many?"), AssistantStep(content="It is 42.")))


@pytest.mark.parametrize(
    ("returned", "score"),
    [
        (True, (1, "")),
        (0, (0, "")),
        (0.25, (0.25, "")),
        ({"value": False, "explanation": "No."}, (0, "No.")),
        ({"value": None, "explanation": "Who knows?"}, (None, "Who knows?")),
    ],
)
def test_a_function_returns_a_verdict_a_number_or_both_with_words(
    returned: Any, score: tuple[float | None, str]
) -> None:
    assert read_returned(returned) == score


@pytest.mark.parametrize(
    "returned", [None, "yes", 1.5, -0.1, float("nan"), {}, {"value": 1, "note": ""}, [1]]
)
def test_what_is_no_score_is_refused(returned: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        read_returned(returned)


@pytest.mark.slow
def test_misdeeds_are_told_and_spoil_no_other_score() -> None:
    said = {
        "raise_error": "It raised LookupError: no such answer.",
        "return_text": "It did not return a score: str is neither True, False nor a number.",
        "return_seven": "It did not return a score: 7 is not between 0 and 1.",
        "end_process": "Its process ended (exit 3) before it gave a score.",
        "leave": "It raised SystemExit: 4.",
        "print_a_gigabyte": "It printed more than 64 KiB.",
        "take_memory": "It needed more than 2 GiB of memory.",
        "explain_at_length": (
            "It did not return a score: an explanation has at most 2,000 characters."
        ),
        "write_file": f"It raised PermissionError: {_REFUSED}: '{_FILE}'.",
        "truncate_file": f"It raised PermissionError: {_REFUSED}: '{_FILE}'.",
        "delete_file": f"It raised PermissionError: {_REFUSED}: '{_FILE}'.",
        "fork_forever": f"It raised PermissionError: {_REFUSED}.",
        "ask_network": f"It raised PermissionError: {_REFUSED}.",
    }
    with FunctionRuns("test-misdeed") as runs:
        for deed, sentence in said.items():
            with pytest.raises(FunctionError) as caught:
                runs.ask(TAPE, deed)
            assert caught.value.message == f"The scorer function 'test-misdeed' failed. {sentence}"
            assert runs.ask(TAPE, "well") == (1, "")
        assert runs.ask(TAPE, "tell_secrets") == (1, "None.")
        assert runs.ask(TAPE, "list_descriptors") == (1, "1 for the answer.")
        with pytest.raises(FunctionError, match=_UNSEEN):
            runs.ask(TAPE, "read_parent")


def test_a_function_reads_what_lies_beside_its_modules_but_no_secrets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "data").mkdir()
    for name in ("words.txt", ".env", "data/secret_key"):
        (tmp_path / name).write_text("read", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))

    with FunctionRuns("test-reader", hidden=[tmp_path / "data"]) as runs:
        assert runs.ask(TAPE, str(tmp_path / "words.txt")) == (1, "read")
        for name in (".env", "data/secret_key", "data/../.env"):
            with pytest.raises(FunctionError, match=_UNSEEN):
                runs.ask(TAPE, str(tmp_path / name))


@pytest.mark.slow
def test_a_function_that_hangs_is_ended() -> None:
    with FunctionRuns("test-misdeed") as runs:
        with pytest.raises(FunctionError, match=f"more than {function_program.MOST_SECONDS:g} s"):
            runs.ask(TAPE, "hang")
        assert runs.ask(TAPE, "well") == (1, "")


def test_a_function_that_is_gone_gives_no_score() -> None:
    scorer_functions.add("test-elsewhere", len)  # type: ignore[arg-type]

    with FunctionRuns("test-elsewhere") as runs, pytest.raises(FunctionError, match="by itself"):
        runs.ask(TAPE, "")


def test_what_a_function_is_prepared_by_runs_once_before_the_attempts() -> None:
    with FunctionRuns("test-prepared") as runs:
        assert [runs.ask(TAPE, "")[0] for _ in range(2)] == [1, 1]


def test_a_function_sees_no_thoughts_and_the_tape_keeps_them() -> None:
    text = "<think>Is it 41?</think>42"
    tape = Tape(steps=(UserStep(content=text), AssistantStep(content=text)))

    with FunctionRuns("test-quote") as runs:
        _, said = runs.ask(tape, "")

    assert said == f"{text}, 42"
    assert tape.steps[1].to_json()["content"] == text


def test_a_function_that_cannot_be_walled_in_is_refused_unless_that_is_allowed() -> None:
    def ask(*, may_be_unwalled: bool) -> str:
        take_walls_away()
        with FunctionRuns("test-misdeed", may_be_unwalled=may_be_unwalled) as runs:
            said = []
            for deed in ("well", "delete_file"):
                try:
                    said.append(str(runs.ask(TAPE, deed)[0]))
                except FunctionError as error:
                    said.append(error.message)
        return "\n".join(said)

    refused = run_apart(lambda: ask(may_be_unwalled=False))
    allowed = run_apart(lambda: ask(may_be_unwalled=True))

    assert refused.count("It was not run. This system cannot wall code in") == 2
    assert "set STUDIO_UNWALLED_FUNCTIONS=1" in refused
    assert allowed.startswith("1.0\n")
    assert f"PermissionError: {_REFUSED}" in allowed
