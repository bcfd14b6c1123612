"""How people write values and sentences: formats of dates, polite words, slips of the fingers."""

from collections.abc import Mapping
from datetime import date
from random import Random

from pydantic import JsonValue

from tapes_app.gallery.form_filler.forms import Parameter

_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
_LEAST_LETTERS = 5


def write_value(slot: Parameter, value: JsonValue, chance: Random) -> str:
    """Return a value as somebody may write it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    match slot.slot_type:
        case "date":
            return _write_date(date.fromisoformat(str(value)), chance)
        case "time":
            return _write_time(str(value), chance)
        case "url":
            return str(value) if chance.random() < 0.5 else str(value).removeprefix("https://")  # noqa: PLR2004
        case "categorical":
            return chance.choice((str(value), str(value).capitalize()))
        case _:
            return str(value)


def _write_date(day: date, chance: Random) -> str:
    month = _MONTHS[day.month - 1]
    return chance.choice(
        (
            day.isoformat(),
            f"{day.day} {month} {day.year}",
            f"{month} {day.day}, {day.year}",
            f"{day.day} {month[:3]} {day.year}",
        )
    )


def _write_time(time: str, chance: Random) -> str:
    hour, minute = (int(part) for part in time.split(":"))
    half = "am" if hour < 12 else "pm"  # noqa: PLR2004
    clock = (hour - 1) % 12 + 1
    return chance.choice((time, f"{clock}:{minute:02} {half}"))


def write_sentence(template: str, fields: Mapping[str, str], chance: Random, slips: float) -> str:
    """Return a sentence of a template; `slips` is the share of sentences with a typing error.

    `[a|b]` stands for one of several words, `{name}` for a field, which is never mistyped.
    """
    parts = choose(template, chance).split("{")
    carriers = [parts[0], *(part.partition("}")[2] for part in parts[1:])]
    names = [part.partition("}")[0] for part in parts[1:]]
    if chance.random() < slips:
        carriers = _mistype(carriers, chance)
    written = carriers[0] + "".join(
        fields[name] + rest for name, rest in zip(names, carriers[1:], strict=True)
    )
    return " ".join(written.split())


def choose(template: str, chance: Random) -> str:
    """Return a template with each alternative decided."""
    head, *rest = template.split("[")
    chosen = [head]
    for part in rest:
        words, _, after = part.partition("]")
        chosen += [chance.choice(words.split("|")), after]
    return "".join(chosen)


def list_choices(template: str) -> list[str]:
    """Return all that `choose` may return."""
    head, bracket, rest = template.partition("[")
    if not bracket:
        return [template]
    words, _, after = rest.partition("]")
    endings = list_choices(after)
    return [head + word + ending for word in words.split("|") for ending in endings]


def _mistype(carriers: list[str], chance: Random) -> list[str]:
    """Exchange two neighbouring letters inside one of the longer words."""
    words = [carrier.split(" ") for carrier in carriers]
    places = [
        (at, n)
        for at, carrier in enumerate(words)
        for n, word in enumerate(carrier)
        if len(word) >= _LEAST_LETTERS and word.isalpha()
    ]
    if places:
        at, n = chance.choice(places)
        word = words[at][n]
        cut = chance.randrange(1, len(word) - 2)
        words[at][n] = word[:cut] + word[cut + 1] + word[cut] + word[cut + 2 :]
    return [" ".join(carrier) for carrier in words]
