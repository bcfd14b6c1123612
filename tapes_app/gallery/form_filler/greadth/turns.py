"""A turn of the assistant: what a user wrote, and all steps until the user may write again."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce

from pydantic import JsonValue

from tapes_app.engine.plain_json import dump_json_text
from tapes_app.engine.tape.dialog_steps import UserStep
from tapes_app.engine.tape.steps import Step
from tapes_app.gallery.form_filler import steps
from tapes_app.gallery.form_filler.form_state import FormState, advance, read_state
from tapes_app.gallery.form_filler.users.labels import TurnLabel, read_label


@dataclass(frozen=True)
class AssistantTurn:
    past: tuple[Step, ...]
    """The dialogue so far, with the user's message as its last step."""

    label: TurnLabel
    """What the message says."""

    steps: tuple[Step, ...]

    @cached_property
    def before(self) -> FormState:
        return read_state(self.past)

    @cached_property
    def after(self) -> FormState:
        return reduce(advance, self.steps, self.before)

    @property
    def is_valid(self) -> bool:
        """Whether all steps were legal and the last of them was an action."""
        if self.after.end:
            return self.after.end != "invalid"
        return self.after.action is not None

    @property
    def text(self) -> str:
        """What the user wrote."""
        last = self.past[-1]
        return last.content if isinstance(last, UserStep) else ""

    @cached_property
    def message(self) -> str:
        """What the assistant says; empty if it submits or leaves."""
        prompts = [one for one in self.steps if isinstance(one, _PROMPT)]
        return prompts[-1].prompt if prompts else ""

    @cached_property
    def assigned(self) -> dict[str, JsonValue]:
        updates = [one for one in self.steps if isinstance(one, _UPDATE)]
        return {name: value for update in updates for name, value in update.assign.items()}

    @cached_property
    def skipped(self) -> tuple[str, ...]:
        updates = [one for one in self.steps if isinstance(one, _UPDATE)]
        return tuple(name for update in updates for name in update.skip)

    @cached_property
    def known_text(self) -> str:
        """All that the assistant may speak of: the forms, the dialogue and the slots."""
        shown = [*self.past, *(one for one in self.steps if not isinstance(one, _PROMPT))]
        texts = [dump_json_text(step.llm_dict()) for step in shown]
        return " ".join(texts).replace("_", " ").casefold()


_PROMPT = steps.PromptUserForTextMessageAction
_UPDATE = steps.UpdateFunctionParametersThought


def list_turns(tape: Sequence[Step]) -> Iterator[AssistantTurn]:
    """Yield the assistant's turns after messages of simulated users, up to an invalid one."""
    places = [n for n, step in enumerate(tape) if isinstance(step, UserStep)]
    for place, end in zip(places, [*places[1:], len(tape)], strict=True):
        label = read_label(tape[place])
        if label is None or end == place + 1:
            continue
        turn = AssistantTurn(tuple(tape[: place + 1]), label, tuple(tape[place + 1 : end]))
        yield turn
        if not turn.is_valid:
            return
