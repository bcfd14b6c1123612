"""What a simulated user knows before they speak, and how they say it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple

from tapes_app.gallery.form_filler.companies.generator import spell
from tapes_app.gallery.form_filler.companies.vocabulary import Choice
from tapes_app.gallery.form_filler.form_state import FormState
from tapes_app.gallery.form_filler.users.goals import Goal
from tapes_app.gallery.form_filler.users.labels import TurnLabel
from tapes_app.gallery.form_filler.users.phrases import Phrases, Templates
from tapes_app.gallery.form_filler.users.writing import write_sentence, write_value

_ENDS = (".", "?", "!")


class Turn(NamedTuple):
    text: str
    label: TurnLabel


@dataclass(frozen=True)
class Situation:
    """The dialogue so far, as the user sees it, and the user's way of speaking."""

    goal: Goal
    state: FormState
    phrases: Phrases
    chance: Random
    slips: float = 0.0
    """The share of sentences with a typing error."""

    past: tuple[str, ...] = field(default=())
    """The behaviours so far."""

    @property
    def has_form(self) -> bool:
        return self.state.form is not None and self.state.form.name == self.goal.form.name

    @property
    def asked(self) -> str:
        """The slot that was asked for; empty if the question is another one."""
        return self.state.requested if self.has_form and not self.state.asks else ""

    @property
    def asked_type(self) -> str:
        return self.goal.form.schema.slots[self.asked].slot_type if self.asked else ""

    @property
    def answers(self) -> bool:
        """Whether the goal has a value for the slot that was asked for."""
        return bool(self.asked) and self.goal.wants(self.asked)

    @property
    def choice(self) -> Choice | None:
        """The words of the slot that was asked for, if it is a choice."""
        words = self.goal.form.slots.get(self.asked)
        return words if isinstance(words, Choice) else None

    @property
    def others(self) -> tuple[str, ...]:
        """The open slots, except the one that was asked for, that the goal has a value for."""
        if not self.has_form:
            return ()
        outstanding = self.state.outstanding
        return tuple(name for name in outstanding if name != self.asked and self.goal.wants(name))

    def write(self, slot: str) -> str:
        """Return the goal's value of a slot in somebody's words."""
        return self.write_value(slot, self.goal.values[slot])

    def write_value(self, slot: str, value: object) -> str:
        return write_value(self.goal.form.schema.slots[slot], value, self.chance)  # type: ignore[arg-type]

    def phrase(self, templates: Templates, **fields: str) -> str:
        return write_sentence(self.chance.choice(templates), fields, self.chance, self.slips)

    def give(self, slot: str) -> str:
        return self.phrase(self.phrases.give, label=spell(slot), value=self.write(slot))

    def answer(self) -> str:
        """Return the answer to what was asked."""
        value = self.goal.values[self.asked]
        if isinstance(value, bool):
            return self.phrase(self.phrases.yes if value else self.phrases.no)
        return self.phrase(self.phrases.answer, value=self.write(self.asked))

    def join(self, parts: Iterable[str]) -> str:
        first, *rest = parts
        for part in rest:
            joiner = self.chance.choice(self.phrases.joiners)
            first = (first.rstrip(".?!") if joiner.startswith(".") else first) + joiner + part
        return first

    def speak(self, text: str, behaviour: str, **label: object) -> Turn:
        """Return a turn, with polite words around what is said."""
        after = "" if text.endswith(_ENDS) else self.chance.choice(self.phrases.after)
        before = self.chance.choice(self.phrases.before)
        label_fields: Mapping[str, object] = {"behaviour": behaviour, **label}
        return Turn(before + text + after, TurnLabel.model_validate(label_fields))
