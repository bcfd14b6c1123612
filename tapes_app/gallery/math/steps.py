"""What the solver of word problems writes, and what its calculator answers."""

from typing import Literal

from tapes_app.engine.tape.steps import Action, Observation, StopAction, Thought

Operation = Literal["start", "add", "subtract", "multiply", "divide", "skip", "answer"]


class ReasoningThought(Thought):
    """What the next sentence asks for."""

    kind: Literal["math_thought"] = "math_thought"
    sentence: int
    """Which one of the problem, from 1 on."""

    operation: Operation
    """What to do with the number in it: "start" when it is the first, "skip" when nothing is
    counted, "answer" when it is the question."""


class UseCalculatorAction(Action):
    kind: Literal["math_calculation"] = "math_calculation"
    expression: str
    """Arithmetic, such as "12 + 5"."""


class CalculationResultObservation(Observation):
    kind: Literal["math_result"] = "math_result"
    result: str


class ActionExecutionFailure(Observation):
    kind: Literal["math_failure"] = "math_failure"
    error: str


class FinalAnswerAction(StopAction):
    kind: Literal["math_answer"] = "math_answer"
    text: str
    """The answer with what was counted, such as "17 apples"."""

    value: int | float | None
    """The number alone; null when there is none."""
