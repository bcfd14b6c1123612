"""A scorer function runs in a process of its own: whatever it does, the next score comes."""

from typing import Any

import pytest

from optimize_app.evaluation.scoring import function_program
from optimize_app.evaluation.scoring.function_runs import FunctionError, FunctionRuns
from optimize_app.evaluation.scoring.functions import read_returned, scorer_functions
from tapes_app.engine.dialog_steps import AssistantStep, UserStep
from tapes_app.engine.tape import Tape
from tests.evaluation import scorer_plugin  # noqa: F401 - registers its functions

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
        "return_text": "It returned what is no score: str is neither True, False nor a number.",
        "return_seven": "It returned what is no score: 7 is not between 0 and 1.",
        "end_process": "Its process ended (exit 3) before it gave a score.",
        "leave": "It raised SystemExit: 4.",
        "print_a_gigabyte": "It printed more than 64 KiB.",
        "take_memory": "It needed more than 2 GiB of memory.",
        "explain_at_length": (
            "It returned what is no score: an explanation has at most 2,000 characters."
        ),
        "write_file": "It raised OSError: [Errno 27] File too large.",
    }
    with FunctionRuns("test-misdeed") as runs:
        for deed, sentence in said.items():
            with pytest.raises(FunctionError) as caught:
                runs.ask(TAPE, deed)
            assert caught.value.message == f"The scorer function 'test-misdeed' failed. {sentence}"
            assert runs.ask(TAPE, "well") == (1, "")
        assert runs.ask(TAPE, "tell_secrets") == (1, "None.")
        # Where no user may have namespaces there is a network, and nobody listens at this port.
        with pytest.raises(FunctionError, match=r"unreachable|ConnectionRefusedError"):
            runs.ask(TAPE, "ask_network")


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
