"""The calculator that answers the solver: it works out arithmetic and nothing else."""

from collections.abc import Sequence

from tapes_app.engine.environment import Environment, PendingAction
from tapes_app.engine.steps import Step
from tapes_app.engine.tape import Tape
from tapes_app.gallery.chat.tools import calculate
from tapes_app.gallery.math.steps import (
    ActionExecutionFailure,
    CalculationResultObservation,
    UseCalculatorAction,
)

_REFUSALS = (ArithmeticError, ValueError, TypeError, RecursionError, MemoryError)


class Calculator(Environment):
    """Answers an expression with its value, or with what is wrong with it."""

    name = "calculator"

    async def observe(self, pending: PendingAction, tape: Tape) -> Sequence[Step]:
        action = pending.action
        if not isinstance(action, UseCalculatorAction):
            return await super().observe(pending, tape)
        try:
            return [CalculationResultObservation(result=str(calculate(action.expression)))]
        except _REFUSALS as error:
            return [ActionExecutionFailure(error=str(error) or type(error).__name__)]
