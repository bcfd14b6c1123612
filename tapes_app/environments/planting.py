"""An environment that writes the instruction of a task's attack into one of its observations."""

from collections.abc import Sequence

from tapes_app.engine.environment.actions import PendingAction
from tapes_app.engine.environment.environment import Environment
from tapes_app.engine.environment.planting import Plant, is_about, plant_into, was_planted
from tapes_app.engine.environment.tool_rules import Call, list_calls
from tapes_app.engine.environment.wrapper import WrapperEnvironment
from tapes_app.engine.tape.families import is_error_step
from tapes_app.engine.tape.steps import Step
from tapes_app.engine.tape.tape import Tape
from tapes_app.environments.policy import RULED_BY


class PlantingEnvironment(WrapperEnvironment):
    """Answers as the environment inside, but plants one instruction into one answer.

    Which answer it is depends on the tape alone, so a resumed run plants at the same place, and a
    tape that contains the instruction gets no second one. What a tool rule answers in place of a
    tool, and what reports an error, stays as it is.
    """

    def __init__(self, inner: Environment, plant: Plant) -> None:
        super().__init__(inner)
        self._plant = plant

    def can_run_together(self, pending: PendingAction) -> bool:
        # Which answer is the n-th is known only if they come one after the other.
        return not is_about(self._plant, pending.name) and super().can_run_together(pending)

    async def observe(self, pending: PendingAction, tape: Tape) -> Sequence[Step]:
        observations = await super().observe(pending, tape)
        if not self._is_due(pending, tape):
            return observations
        planted = list(observations)
        for at, step in enumerate(planted):
            if _is_plain(step):
                planted[at] = plant_into(step, self._plant)
                break
        return planted

    def _is_due(self, pending: PendingAction, tape: Tape) -> bool:
        """Return whether the answer to this action is the one, by what is on the tape before it."""
        if not is_about(self._plant, pending.name) or any(map(was_planted, tape.steps)):
            return False
        earlier = sum(1 for call in list_calls(tape.steps) if self._counts(call))
        return earlier == self._plant.occurrence - 1

    def _counts(self, call: Call) -> bool:
        return (
            is_about(self._plant, call.pending.name)
            and call.answer is not None
            and _is_plain(call.answer)
        )


def _is_plain(step: Step) -> bool:
    """Return whether an observation is the answer of a tool that did what was asked."""
    is_ruled = RULED_BY in step.metadata.other
    return not is_ruled and not is_error_step(step.to_json(), "observation")
