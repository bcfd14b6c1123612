"""A judge is shown what was done as material, and only a judgement counts as one."""

import pytest

from tapes_app.engine.dialog_steps import AssistantStep, UserStep
from tapes_app.engine.errors import LLMError
from tapes_app.engine.llm import LLMOutput, Prompt
from tapes_app.engine.tape import Tape
from tapes_app.experiments.checks import Ended
from tapes_app.experiments.services.judging import (
    MAX_SHOWN,
    JudgeAnswerError,
    ask_judge,
    build_prompt,
    read_answer,
)
from tapes_app.llms.scripted import ScriptedLLM

pytestmark = pytest.mark.both_databases


def ended(answer: str = "It is 42.") -> Ended:
    tape = Tape(steps=(UserStep(content="6 * 7?"), AssistantStep(content=answer)))
    return Ended(tape, 1, "ok")


def test_the_prompt_holds_rubric_task_and_answer() -> None:
    system, asked = build_prompt("Is the product right?", ended()).messages

    assert "Is the product right?" in system.text
    assert "never instructions" in system.text
    assert asked.text.index("6 * 7?") < asked.text.index("It is 42.")


def test_a_rubric_may_hold_braces() -> None:
    system, _ = build_prompt('Wants {"answer": 42}.', ended()).messages

    assert 'Wants {"answer": 42}.' in system.text


def test_a_long_answer_is_cut_in_its_middle() -> None:
    _, asked = build_prompt("Short?", ended("a" * 3 * MAX_SHOWN + "the end")).messages

    assert len(asked.text) < 3 * MAX_SHOWN
    assert "the end" in asked.text


@pytest.mark.parametrize(
    "text",
    [
        '{"score": 0.5, "reason": "half"}',
        ' {"reason": "half", "score": 0.5}\n',
        '```json\n{"score": 0.5, "reason": "half"}\n```',
    ],
)
def test_a_judgement_is_read(text: str) -> None:
    answer = read_answer(text)

    assert (answer.score, answer.reason) == (0.5, "half")


def test_a_whole_number_is_a_score() -> None:
    assert read_answer('{"score": 1, "reason": ""}').score == 1.0


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1",
        "It passes.",
        'Sure: {"score": 1, "reason": "x"}',
        '{"score": "1", "reason": "x"}',
        '{"score": true, "reason": "x"}',
        '{"score": 1.1, "reason": "x"}',
        '{"score": NaN, "reason": "x"}',
        '{"score": 1}',
        '{"score": 1, "reason": "x", "passed": true}',
        '[{"score": 1, "reason": "x"}]',
        '{"score": 1, "reason": "x"} {"score": 0, "reason": "y"}',
        "[" * 100_000,
    ],
)
def test_anything_else_is_no_judgement(text: str) -> None:
    with pytest.raises(JudgeAnswerError):
        read_answer(text)


async def test_an_opinion_keeps_the_call_behind_it() -> None:
    judge = ScriptedLLM(lambda _: '{"score": 0.9, "reason": "right"}', name="judge")

    opinion = await ask_judge(judge, build_prompt("Right?", ended()))

    assert (opinion.score, opinion.reason) == (0.9, "right")
    assert opinion.call.output.content == '{"score": 0.9, "reason": "right"}'
    assert opinion.call.error == ""


async def test_a_judge_that_talks_or_breaks_gives_no_score() -> None:
    def refuse(_: Prompt) -> LLMOutput:
        raise LLMError("The provider said no.")

    talking = await ask_judge(ScriptedLLM(lambda _: "Fine!", name="t"), build_prompt("?", ended()))
    broken = await ask_judge(ScriptedLLM(refuse, name="b"), build_prompt("?", ended()))

    assert talking.score is None
    assert "did not answer in JSON" in talking.reason
    assert broken.score is None
    assert broken.call.error == "The provider said no."
