"""The solver of word problems: its loop, its calculator, and a teacher that errs as told."""

from collections.abc import Mapping

import pytest

from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.agent.orchestrator import run_to_end
from tapes_app.engine.agent.registration import gallery_agents
from tapes_app.engine.agent.spec import build_agent
from tapes_app.engine.environment.events import LoopFinished
from tapes_app.engine.environment.spec import environments
from tapes_app.engine.model.llm import LLMOutput, Prompt
from tapes_app.engine.tape.dialog_steps import ParsingFailure, UserStep
from tapes_app.engine.tape.tape import Tape
from tapes_app.gallery.math.agent import ERROR_RATE
from tapes_app.gallery.math.problems import Problem, make_problems
from tapes_app.gallery.math.sentences import find_operation, split_sentences
from tapes_app.gallery.math.steps import (
    ActionExecutionFailure,
    CalculationResultObservation,
    FinalAnswerAction,
    ReasoningThought,
    UseCalculatorAction,
)
from tapes_app.llms.scripted import Script, ScriptedLLM, answers_in_order
from tapes_app.tapes.domain.task_outcome import read_task_outcome

Options = Mapping[str, float]
NO_ERRORS: Options = {}
PROBLEM = (
    "Ada has 12 apples. Ben gives Ada 5 more. It is a warm day. Ada splits them into 17 equal "
    "parts and takes one. How many apples does Ada have now?"
)


def build_solver(script: str | Script = "math-teacher", *, options: Options = NO_ERRORS) -> Agent:
    llm = ScriptedLLM(script, options=options)
    return build_agent(gallery_agents.get("math")(), lambda _: llm)


async def solve(agent: Agent, text: str) -> LoopFinished:
    return await run_to_end(
        agent, Tape(steps=(UserStep(content=text),)), environments.get("math")()
    )


async def list_right(problems: list[Problem], **options: float) -> list[bool]:
    ends = [await solve(build_solver(options=options), problem.text) for problem in problems]
    outcomes = [
        read_task_outcome({"expected": str(problem.answer)}, None, end.tape.steps).outcome
        for problem, end in zip(problems, ends, strict=True)
    ]
    assert set(outcomes) <= {"pass", "fail"}
    return [outcome == "pass" for outcome in outcomes]


async def test_it_reads_calculates_and_answers() -> None:
    text = PROBLEM.replace("Ben gives Ada 5", "Then Ben gives Ada 5")

    end = await solve(build_solver(), text)

    assert end.status == "finished"
    said = [step.llm_dict() for step in end.tape.steps[1:] if step.kind != "set_next_node"]
    assert [list(step.values()) for step in said] == [
        ["math_thought", 1, "start"],
        ["math_calculation", "12"],
        ["math_result", "12"],
        ["math_thought", 2, "add"],
        ["math_calculation", "12 + 5"],
        ["math_result", "17"],
        ["math_thought", 3, "skip"],
        ["math_thought", 4, "divide"],
        ["math_calculation", "17 / 17"],
        ["math_result", "1"],
        ["math_thought", 5, "answer"],
        ["math_answer", "1 apples", 1],
    ]


@pytest.mark.parametrize("split", ["train", "test"])
async def test_the_teacher_without_errors_solves_every_problem(split: str) -> None:
    problems = make_problems("train" if split == "train" else "test", 60, 4)

    assert all(await list_right(problems))


async def list_misread(problems: list[Problem], **options: float) -> list[bool]:
    """Return for each sentence to calculate with whether the teacher took it wrongly."""
    misread = []
    for problem in problems:
        end = await solve(build_solver(options=options), problem.text)
        sentences = split_sentences(problem.text)
        for thought in (step for step in end.tape if isinstance(step, ReasoningThought)):
            right = find_operation(sentences[thought.sentence - 1])
            if right not in (None, "answer"):
                misread.append(thought.operation != right)
    return misread


async def test_the_teacher_errs_as_often_as_it_is_told_and_always_alike() -> None:
    problems = make_problems("train", 150, 5)

    misread = await list_misread(problems, error_rate=0.2, seed=1)

    assert 0.15 < sum(misread) / len(misread) < 0.25
    assert misread == await list_misread(problems, error_rate=0.2, seed=1)
    assert misread != await list_misread(problems, error_rate=0.2, seed=2)
    assert all(await list_misread(problems[:20], error_rate=1))
    assert not any(await list_right(problems[:20], error_rate=1, seed=4))


async def test_the_teacher_that_ships_is_right_on_about_93_of_100() -> None:
    right = await list_right(make_problems("train", 300, 6), error_rate=ERROR_RATE)

    assert 0.89 < sum(right) / len(right) < 0.97


async def test_a_wrong_expression_is_an_observation_that_the_model_is_shown() -> None:
    thought = '{"kind": "math_thought", "sentence": 1, "operation": "start"}'
    asked: list[str] = []
    prepared = answers_in_order(
        [
            thought,
            '{"kind": "math_calculation", "expression": "12 / 0"}',
            thought,
            '{"kind": "math_calculation", "expression": "__import__(1)"}',
            thought,
            '{"kind": "math_calculation", "expression": "7 / 2"}',
            thought.replace("start", "answer"),
            "3.5",
            '{"kind": "math_answer", "text": "3.5", "value": 3.5}',
        ]
    )

    def script(prompt: Prompt) -> LLMOutput | str:
        asked.append(prompt.messages[-1].text)
        return prepared(prompt)

    end = await solve(build_solver(script), PROBLEM)

    failures = [step.error for step in end.tape if isinstance(step, ActionExecutionFailure)]
    assert failures == ["division by zero", "'__import__(1)' is not allowed in an expression"]
    assert asked[2].endswith("Error: division by zero")
    assert asked[6].splitlines()[-2:] == ["Sentence 2: Ben gives Ada 5 more.", "Total: 3.5"]
    assert any(isinstance(step, ParsingFailure) for step in end.tape)
    assert "Error: The answer does not fit" in asked[8]
    assert isinstance(end.tape.steps[-1], FinalAnswerAction)


async def test_a_problem_that_it_does_not_know_is_answered_with_its_limits() -> None:
    end = await solve(build_solver(), "What is the capital of France?")

    answer = end.tape.steps[-1]
    assert isinstance(answer, FinalAnswerAction)
    assert answer.value is None
    assert answer.text.startswith("I am a script")


async def test_another_problem_on_the_same_tape_begins_anew() -> None:
    first, second = (problem.text for problem in make_problems("train", 2, 8))
    tape = (await solve(build_solver(), first)).tape.append(UserStep(content=second))

    again = await run_to_end(build_solver(), tape, environments.get("math")())
    alone = await solve(build_solver(), second)

    kinds = (ReasoningThought, UseCalculatorAction, CalculationResultObservation)
    own = [step for step in again.tape.steps[len(tape) :] if isinstance(step, kinds)]
    assert [step.llm_dict() for step in own] == [
        step.llm_dict() for step in alone.tape if isinstance(step, kinds)
    ]
