"""What a simulated user wants: a form with certain values, and nothing in its other slots."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from random import Random

from pydantic import JsonValue

from tapes_app.engine.tape.steps import Step
from tapes_app.gallery.form_filler.companies.generator import Company, Form
from tapes_app.gallery.form_filler.companies.vocabulary import Amount, Choice, Code, Text
from tapes_app.gallery.form_filler.users.labels import read_label

_WANTED_SHARE = 0.5
_FIRST_DAY = date(2026, 1, 1)
_ATTEMPTS = 20


@dataclass(frozen=True)
class Goal:
    company: Company
    form: Form
    values: Mapping[str, JsonValue]

    def wants(self, slot: str) -> bool:
        return slot in self.values

    def changed(self, values: Mapping[str, JsonValue]) -> "Goal":
        return replace(self, values={**self.values, **values})


def draw_goal(company: Company, seed: int | str) -> Goal:
    """Return what the user with this seed wants."""
    chance = Random(f"goal {seed}")  # noqa: S311 - to repeat, no secret
    form = chance.choice(company.forms)
    schema = form.schema
    values: dict[str, JsonValue] = {
        name: draw_value(company, form, name, chance)
        for name in schema.slots
        if schema.is_required(name, {}) or chance.random() < _WANTED_SHARE
    }
    for name in schema.slots:
        if name not in values and schema.is_required(name, values):
            values[name] = draw_value(company, form, name, chance)
    for rule in schema.order_rules:
        if rule.earlier in values and rule.later in values:
            first = date.fromisoformat(str(values[rule.earlier]))
            later = first + timedelta(days=chance.randint(1, 60))
            values[rule.later] = later.isoformat()
    return Goal(company, form, {name: values[name] for name in schema.slots if name in values})


def follow_goal(goal: Goal, tape: Iterable[Step]) -> Goal:
    """Return the goal after the changes of mind on a tape."""
    for step in tape:
        label = read_label(step)
        if label is not None and label.values:
            goal = goal.changed(label.values)
    return goal


def draw_change(goal: Goal, slot: str, chance: Random) -> JsonValue:
    """Return another value for a slot that fits the others; `None` if none was found."""
    schema = goal.form.schema
    for _ in range(_ATTEMPTS):
        value = draw_value(goal.company, goal.form, slot, chance)
        values = {**goal.values, slot: value}
        if value != goal.values.get(slot) and schema.fits(values):
            return value
    return None


def draw_value(company: Company, form: Form, slot: str, chance: Random) -> JsonValue:
    """Return a value that somebody may want in a slot, as the form stores it."""
    words, parameter = form.slots[slot], form.schema.slots[slot]
    match words:
        case Choice():
            return chance.choice(words.options).name
        case Text():
            return chance.choice(words.samples)
        case Code():
            return f"{words.letters}-{chance.randrange(10**words.digits):0{words.digits}}"
        case Amount():
            return chance.randint(words.least, words.most)
        case _:
            return _DRAWS[parameter.slot_type](company, chance)


def _draw_date(company: Company, chance: Random) -> str:
    return (_FIRST_DAY + timedelta(days=chance.randrange(900))).isoformat()


def _draw_time(company: Company, chance: Random) -> str:
    return f"{chance.randint(6, 21):02}:{chance.choice((0, 15, 30, 45)):02}"


def _draw_email(company: Company, chance: Random) -> str:
    return f"{chance.choice(company.words.names)}{chance.randint(1, 99)}@{company.words.domain}"


def _draw_url(company: Company, chance: Random) -> str:
    return f"https://{company.words.domain}/{chance.choice(company.words.names)}"


def _draw_truth(company: Company, chance: Random) -> bool:
    return chance.random() < 0.5  # noqa: PLR2004


_DRAWS: Mapping[str, Callable[[Company, Random], JsonValue]] = {
    "date": _draw_date,
    "time": _draw_time,
    "email": _draw_email,
    "url": _draw_url,
    "boolean": _draw_truth,
}
