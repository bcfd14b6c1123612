"""The person in front of the browser, as an environment: the run waits for their answer."""

from collections.abc import Mapping, Sequence
from typing import Any

from tapes_app.engine.environment.actions import (
    ExternalInputNeeded,
    PendingAction,
    UnknownActionError,
)
from tapes_app.engine.environment.environment import Environment
from tapes_app.engine.tape.defined_steps import DefinedStep
from tapes_app.engine.tape.dialog_steps import AssistantStep
from tapes_app.engine.tape.families import read_declared_family
from tapes_app.engine.tape.steps import Action, Observation, Step
from tapes_app.engine.tape.tape import Tape


class HumanEnvironment(Environment):
    """Answers what the agent says to a person by waiting for that person.

    The answer arrives as a step on the tape (a `UserStep`), at any time and through any process: no
    state is kept here, so a restart in between loses nothing.
    """

    name = "person"

    def __init__(
        self,
        waits_for: Sequence[type[Action]] = (AssistantStep,),
        *,
        forms: Mapping[type[Action], type[Observation]] | None = None,
    ) -> None:
        """Wait for text after steps in `waits_for`, and for a form after those in `forms`.

        After an action of a kind that its agent defines, too, wait for text: no tool answers it. A
        form is the observation that the answer becomes; the person fills in its fields.
        """
        self._forms = dict(forms or {})
        self._waits_for = (*waits_for, *self._forms)

    async def observe(self, pending: PendingAction, tape: Tape) -> Sequence[Step]:
        if pending.tool_call is None and self._waits_after(pending.action):
            form = self._find_form(pending.action)
            raise ExternalInputNeeded(
                "The agent is waiting for an answer; reply to continue.",
                data_schema=self.answer_schema(pending),
                answer_kind=form.model_fields["kind"].default if form is not None else "",
            )
        raise UnknownActionError(
            f"People cannot answer a step of kind {pending.action.kind!r}.",
            kind=pending.action.kind,
        )

    def _waits_after(self, action: Step) -> bool:
        # As loaded without its agent, such an action is of an unknown kind.
        declared = read_declared_family(action.metadata.other)
        is_defined = isinstance(action, DefinedStep) or declared == "action"
        return is_defined or isinstance(action, self._waits_for)

    def answer_schema(self, pending: PendingAction) -> dict[str, Any] | None:
        form = self._find_form(pending.action)
        return describe_form(form) if form is not None else None

    def _find_form(self, action: Step) -> type[Observation] | None:
        return next((form for cls, form in self._forms.items() if isinstance(action, cls)), None)


class StandInEnvironment(HumanEnvironment):
    """Stands in for everything that is not available here: tools, and actions of any kind.

    The run's policies decide beforehand what is recorded, mocked or asked for.
    """

    answers_anything = True

    async def observe(self, pending: PendingAction, tape: Tape) -> Sequence[Step]:
        try:
            return await super().observe(pending, tape)
        except UnknownActionError:
            raise ExternalInputNeeded(
                f"{pending.name!r} cannot be run here; enter its result to continue."
            ) from None


def describe_form(form: type[Observation]) -> dict[str, Any]:
    """Return the JSON schema of the fields that a person fills in."""
    schema = form.model_json_schema()
    schema["properties"] = {
        name: field
        for name, field in schema.get("properties", {}).items()
        if name not in ("kind", "metadata")
    }
    return schema
