"""What the agent thinks before and while it looks things up, and its answer."""

from typing import Literal

from tapes_app.engine.tape.steps import StopAction, Thought


class PlanThought(Thought):
    """How to find the answer, step by step."""

    kind: Literal["questions_plan"] = "questions_plan"
    steps: tuple[str, ...]
    """What to do, in order, each in a sentence."""


class FactsThought(Thought):
    """What is known about a question at its beginning, and what is not."""

    kind: Literal["questions_facts"] = "questions_facts"
    given: tuple[str, ...] = ()
    """Facts that the question states."""

    to_look_up: tuple[str, ...] = ()
    """Facts to find in the documents."""

    to_work_out: tuple[str, ...] = ()
    """Facts that follow from others, by computing or comparing."""

    guessed: tuple[str, ...] = ()
    """What is assumed, and has to be checked."""


class NewFactThought(Thought):
    """A fact that was found in a document or worked out."""

    kind: Literal["questions_new_fact"] = "questions_new_fact"
    fact: str
    """What it is about, such as "population of Tarn in 2020"."""

    value: str
    source: str
    """Document and page, or how it was worked out."""


class AnswerAction(StopAction):
    """The answer: a number with its unit, a name, or a list, and nothing else."""

    kind: Literal["questions_answer"] = "questions_answer"
    answer: str
