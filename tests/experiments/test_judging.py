"""A judge is shown what was done as material, and only a judgement counts as one."""

import pytest

from tapes_app.engine.errors import LLMError
from tapes_app.engine.model.llm import LLMOutput, Prompt
from tapes_app.engine.prompts.structured_output import StructuredOutputError, read_structured
from tapes_app.engine.tape.dialog_steps import AssistantStep, UserStep
from tapes_app.engine.tape.tape import Tape
from tapes_app.experiments.domain.checks import Ended
from tapes_app.experiments.services.judging import (
    MAX_SHOWN,
    ask_judge,
    build_prompt,
)
from tapes_app.gallery.judge.steps import JudgeAnswer
from tapes_app.llms.scripted import ScriptedLLM, answers_in_order


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
    answer = read_structured(text, JudgeAnswer)

    assert (answer.score, answer.reason) == (0.5, "half")


def test_a_whole_number_is_a_score() -> None:
    assert read_structured('{"score": 1, "reason": ""}', JudgeAnswer).score == 1.0


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
        "```json" + "\n" * 500_000,
    ],
)
def test_anything_else_is_no_judgement(text: str) -> None:
    with pytest.raises(StructuredOutputError):
        read_structured(text, JudgeAnswer)


async def test_an_opinion_keeps_the_call_behind_it() -> None:
    judge = ScriptedLLM(lambda _: '{"score": 0.9, "reason": "right"}', name="judge")

    opinion = await ask_judge(judge, build_prompt("Right?", ended()))

    [call] = opinion.calls
    assert (opinion.score, opinion.reason) == (0.9, "right")
    assert call.output.content == '{"score": 0.9, "reason": "right"}'
    assert call.error == ""


async def test_a_judge_is_asked_again_with_what_was_wrong() -> None:
    answers = ["Fine!", '{"score": 7, "reason": "great"}', '{"score": 0.7, "reason": "good"}']
    judge = ScriptedLLM(answers_in_order(answers))

    opinion = await ask_judge(judge, build_prompt("Right?", ended()))

    assert (opinion.score, opinion.reason) == (0.7, "good")
    assert [call.output.content for call in opinion.calls] == answers
    last = opinion.calls[-1].prompt.messages[-1].text
    assert "score: Input should be less than or equal to 1" in last


async def test_a_judge_that_talks_or_breaks_gives_no_score() -> None:
    def refuse(_: Prompt) -> LLMOutput:
        raise LLMError("The provider said no.")

    talking = await ask_judge(ScriptedLLM(lambda _: "Fine!", name="t"), build_prompt("?", ended()))
    broken = await ask_judge(ScriptedLLM(refuse, name="b"), build_prompt("?", ended()))

    assert talking.score is None
    assert "is not JSON" in talking.reason
    assert len(talking.calls) == 3
    assert broken.score is None
    assert [call.error for call in broken.calls] == ["The provider said no."]


@pytest.mark.parametrize("form", ["{}", "```json\n{}\n```"])
@pytest.mark.parametrize(
    "thought",
    [
        "<think>Is it {right}?</think>",
        "Is it right?</think>",
        "[THINK]Right?[/THINK]",
        "<|channel|>analysis<|message|>Right?<|end|><|start|>assistant<|channel|>final<|message|>",
    ],
)
async def test_a_judges_thoughts_do_not_hide_its_judgment(thought: str, form: str) -> None:
    said = thought + form.replace("{}", '{"score": 0.9, "reason": "right"}')
    judge = ScriptedLLM(answers_in_order([said]))

    opinion = await ask_judge(judge, build_prompt("Right?", ended()))

    [call] = opinion.calls
    assert (opinion.score, opinion.reason) == (0.9, "right")
    assert call.output.content == said


def test_a_judge_sees_no_thoughts() -> None:
    _, asked = build_prompt("Right?", ended("<think>Is it 41?</think>\n\n42")).messages

    assert "41" not in asked.text
    assert "42" in asked.text
