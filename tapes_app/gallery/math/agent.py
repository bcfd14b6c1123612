"""The solver and its calculator; registered on import."""

from collections.abc import Sequence

from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.agent.registration import register
from tapes_app.engine.agent.spec import LLMSpec
from tapes_app.engine.environment.actions import PendingAction
from tapes_app.engine.environment.environment import Environment
from tapes_app.engine.tape.steps import Step
from tapes_app.engine.tape.tape import Tape
from tapes_app.gallery.chat.tools import calculate
from tapes_app.gallery.math import nodes, script
from tapes_app.gallery.math.steps import (
    ActionExecutionFailure,
    CalculationResultObservation,
    UseCalculatorAction,
)

NAME = "math"

ERROR_RATE = 0.035
"""The teacher's error rate per sentence: about 93 of 100 tapes are worth learning from, as in the
report (paper 4.4)."""

TEMPLATES = {
    nodes.REASON: "Say what the sentence asks for.",
    nodes.CALCULATE: "Write the expression.",
    nodes.ANSWER: "Answer the question.",
}

_REFUSALS = (ArithmeticError, ValueError, TypeError, RecursionError, MemoryError)


class Calculator(Environment):
    """Answers an expression with its value, or with what is wrong with it.

    It evaluates arithmetic and nothing else.
    """

    name = "calculator"

    async def observe(self, pending: PendingAction, tape: Tape) -> Sequence[Step]:
        action = pending.action
        if not isinstance(action, UseCalculatorAction):
            return await super().observe(pending, tape)
        try:
            return [CalculationResultObservation(result=str(calculate(action.expression)))]
        except _REFUSALS as error:
            return [ActionExecutionFailure(error=str(error) or type(error).__name__)]


agent = register(
    Agent.create(
        NAME,
        templates=TEMPLATES,
        nodes=[
            nodes.ReasonNode(name=nodes.REASON),
            nodes.CalculateNode(name=nodes.CALCULATE, after_answer=nodes.REASON),
            nodes.AnswerNode(name=nodes.ANSWER, after_answer=nodes.REASON),
        ],
    ),
    description="Solves word problems: reads them sentence by sentence and uses a calculator.",
    llms={
        "default": LLMSpec(
            model=script.MODEL, parameters={"script": {"error_rate": ERROR_RATE, "seed": 0}}
        )
    },
    environment=Calculator,
)
