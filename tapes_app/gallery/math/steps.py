"""What the solver of word problems writes, and what its calculator answers."""

from typing import Literal

from tapes_app.engine.steps import Action, Observation, StopAction, Thought

Operation = Literal["start", "add", "subtract", "multiply", "divide", "skip", "answer"]


class ReasoningThought(Thought):
    """What the next sentence asks for."""

    kind: Literal["reasoning_thought"] = "reasoning_thought"
    sentence: int
    """Which one of the problem, from 1 on."""

    operation: Operation
    """What to do with the number in it: "start" when it is the first, "skip" when nothing is
    counted, "answer" when it is the question."""


class UseCalculatorAction(Action):
    kind: Literal["use_calculator_action"] = "use_calculator_action"
    expression: str
    """Arithmetic, such as "12 + 5"."""


class CalculationResultObservation(Observation):
    kind: Literal["calculation_result_observation"] = "calculation_result_observation"
    result: str


class ActionExecutionFailure(Observation):
    kind: Literal["action_execution_failure"] = "action_execution_failure"
    error: str


class FinalAnswerAction(StopAction):
    kind: Literal["final_answer_action"] = "final_answer_action"
    text: str
    """The answer with what was counted, such as "17 apples"."""

    value: int | float | None
    """The number alone; null when there is none."""
