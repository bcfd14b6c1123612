"""Makes the forms of a company from its vocabulary: the same seed makes the same forms."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

from tapes_app.engine.errors import AgentConfigError
from tapes_app.gallery.form_filler.companies import (
    bigbankcorp,
    coffeecorp,
    drivecorp,
    flycorp,
    luxurycorp,
    shopcorp,
)
from tapes_app.gallery.form_filler.companies.facts import write_facts
from tapes_app.gallery.form_filler.companies.made_up import is_made_up, make_up_vocabulary
from tapes_app.gallery.form_filler.companies.slots import SlotWords, draw_slots
from tapes_app.gallery.form_filler.companies.vocabulary import (
    Choice,
    Request,
    Split,
    Vocabulary,
)
from tapes_app.gallery.form_filler.forms import FunctionSchema

VOCABULARIES: Mapping[str, Vocabulary] = {
    module.VOCABULARY.company: module.VOCABULARY
    for module in (flycorp, bigbankcorp, coffeecorp, drivecorp, luxurycorp, shopcorp)
}
SHIPPED_SEED = 0
_REQUIRED_SHARE = 0.55
_LEAST_OPTIONAL = 2


@dataclass(frozen=True)
class Form:
    """A form, with what its users may know and ask about it."""

    schema: FunctionSchema
    request: Request
    slots: Mapping[str, SlotWords]
    facts: Mapping[str, str]
    """Sentences of the description by their topics."""

    @property
    def name(self) -> str:
        return self.schema.name

    @property
    def title(self) -> str:
        """What can be done with it, as a short sentence."""
        return f"{self.request.verb} {self.request.thing}.".capitalize()


@dataclass(frozen=True)
class Company:
    words: Vocabulary
    forms: tuple[Form, ...]

    @property
    def name(self) -> str:
        return self.words.company

    def find_form(self, name: str) -> Form | None:
        return next((form for form in self.forms if form.name == name), None)


def list_companies(split: Split) -> tuple[Company, ...]:
    """Return the shipped companies of one half."""
    return tuple(make_company(name) for name, words in VOCABULARIES.items() if words.split == split)


@cache
def make_company(name: str, seed: int = SHIPPED_SEED) -> Company:
    """Return a company with ten forms: a shipped one, or for `MadeUp1`, a made-up one.

    Raises:
        AgentConfigError: there is no company of this name.
    """
    if name not in VOCABULARIES and not is_made_up(name):
        raise AgentConfigError(
            f"There is no company {name!r}; choose one of {sorted(VOCABULARIES)}, or MadeUp1, "
            "MadeUp2 and so on.",
            company=name,
        )
    words = VOCABULARIES.get(name) or make_up_vocabulary(name)
    return Company(words, tuple(make_form(words, request, seed) for request in words.requests))


def make_form(words: Vocabulary, request: Request, seed: int) -> Form:
    chance = Random(f"{seed} {words.company} {request.thing}")  # noqa: S311 - to repeat, no secret
    slots, schemas = draw_slots(words, chance)
    rules = [*_order_periods(words, slots), *_make_needs(slots, chance)]
    facts = dict(write_facts(words, chance))
    needed = {rule["slot"] for rule in rules if "slot" in rule}
    sentences = [
        f"{request.verb} {request.thing}.".capitalize(),
        *(_explain(slot) for slot in slots.values() if isinstance(slot, Choice)),
        *map(_say_rule, rules),
        *facts.values(),
    ]
    schema = FunctionSchema.read(
        {
            "name": _name(request),
            "description": " ".join(sentences),
            "parameters": {
                "type": "object",
                "properties": schemas,
                "required": _draw_required([name for name in slots if name not in needed], chance),
            },
            "return_value": {"type": "object", "properties": {"request_id": {"type": "string"}}},
            "rules": rules,
        }
    )
    return Form(schema, request, slots, facts)


def _name(request: Request) -> str:
    words = f"{request.verb} {request.thing}".replace("-", " ").split()
    return "".join(word.capitalize() for word in words if word not in {"a", "an"})


def spell(slot: str) -> str:
    """Return a slot's name as people write it."""
    return slot.replace("_", " ")


def _explain(choice: Choice) -> str:
    parts = (f"{one.name} is the {one.trait}, good to {one.need}" for one in choice.options)
    return f"{spell(choice.name).capitalize()}: {'; '.join(parts)}."


def _order_periods(words: Vocabulary, slots: Mapping[str, SlotWords]) -> Iterator[dict[str, Any]]:
    for period in words.periods:
        if period.first.name in slots:
            yield {"earlier": period.first.name, "later": period.last.name}


def _make_needs(slots: Mapping[str, SlotWords], chance: Random) -> Iterator[dict[str, Any]]:
    """Make a slot required for some value of a choice; half of the forms have such a rule."""
    if chance.random() < 0.5:  # noqa: PLR2004
        return
    choice = chance.choice([slot for slot in slots.values() if isinstance(slot, Choice)])
    rest = [name for name, slot in slots.items() if not isinstance(slot, Choice)]
    yield {
        "slot": chance.choice(rest),
        "other": choice.name,
        "value": chance.choice(choice.options).name,
    }


def _say_rule(rule: Mapping[str, str]) -> str:
    if "earlier" in rule:
        return f"The {spell(rule['later'])} must come after the {spell(rule['earlier'])}."
    return (
        f"The {spell(rule['slot'])} is required if the {spell(rule['other'])} is {rule['value']}."
    )


def _draw_required(names: list[str], chance: Random) -> list[str]:
    drawn = [name for name in names if chance.random() < _REQUIRED_SHARE]
    most = max(1, len(names) - _LEAST_OPTIONAL)
    return drawn[:most] or names[:1]
