"""Finds what looks like a value of some type in a message."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tapes_app.gallery.form_filler.forms import FunctionSchema, Parameter
from tapes_app.gallery.form_filler.reading.words import Word, find_all, keys_of, word_set

_MONTHS = word_set("jan feb mar apr may jun jul aug sep oct nov dec")
_HALVES = frozenset({"am", "pm"})
_SEPARATORS = 2


@dataclass(frozen=True)
class Span:
    """Words from `start` to before `end`, and what they stand for."""

    start: int
    end: int
    slot: str = ""

    def overlaps(self, other: "Span") -> bool:
        return self.start < other.end and other.start < self.end


def find_labels(words: Sequence[Word], form: FunctionSchema) -> list[Span]:
    """Return where slots are named and no value of a choice is, in order."""
    options = find_options(words, form)
    found = _find_named(words, {name: (name.replace("_", " "), name) for name in form.slots})
    return [span for span in found if not any(span.overlaps(option) for option in options)]


def find_options(words: Sequence[Word], form: FunctionSchema, slot: str = "") -> list[Span]:
    """Return where values of choices are named, of all or of one slot."""
    names = [slot] if slot else list(form.slots)
    return _find_named(words, {name: form.slots[name].enum or () for name in names})


def _find_named(words: Sequence[Word], names: Mapping[str, Sequence[str]]) -> list[Span]:
    """Return where the names of slots are, the longest first where several would be."""
    found = [
        Span(place, place + len(phrase), slot)
        for slot, writings in names.items()
        for writing in writings
        if (phrase := keys_of(writing))
        for place in find_all(words, phrase)
    ]
    kept: list[Span] = []
    for span in sorted(found, key=lambda one: one.start - one.end):
        if not any(span.overlaps(other) and span.slot != other.slot for other in kept):
            kept.append(span)
    return sorted(kept, key=lambda one: one.start)


def find_typed(words: Sequence[Word], slot: Parameter) -> list[Span]:
    """Return what looks like a value of a slot's type; nothing for free text."""
    kind = "code" if slot.pattern is not None else slot.slot_type
    find = _FINDERS.get(kind)
    return [] if find is None else list(find(words))


def _find_dates(words: Sequence[Word]) -> Iterator[Span]:
    for place, word in enumerate(words):
        if word.key[:3] in _MONTHS and any(word.key.startswith(month) for month in _MONTHS):
            yield from _around_month(words, place)
        elif _is_date_in_digits(word.key):
            yield Span(place, place + 1)


def _around_month(words: Sequence[Word], place: int) -> Iterator[Span]:
    """Yield day, month and year in either order of the first two."""
    if 0 < place < len(words) - 1 and _is_day(words[place - 1]) and _is_year(words[place + 1]):
        yield Span(place - 1, place + 2)
    elif place < len(words) - 2 and _is_day(words[place + 1]) and _is_year(words[place + 2]):
        yield Span(place, place + 3)


def _is_day(word: Word) -> bool:
    return word.key[:1].isdigit() and len(word.key) <= 4  # noqa: PLR2004


def _is_year(word: Word) -> bool:
    return word.key.isdigit() and len(word.key) == 4  # noqa: PLR2004


def _is_date_in_digits(key: str) -> bool:
    parts = key.replace("/", "-").split("-")
    return len(parts) == _SEPARATORS + 1 and all(part.isdigit() for part in parts)


def _find_times(words: Sequence[Word]) -> Iterator[Span]:
    for place, word in enumerate(words):
        hour, colon, minute = word.key.partition(":")
        is_clock = bool(colon) and hour.isdigit() and minute.isdigit()
        has_half = place + 1 < len(words) and words[place + 1].key in _HALVES
        if is_clock or (word.key.isdigit() and has_half):
            yield Span(place, place + 2 if has_half else place + 1)


def _find_words(fits: Callable[[str], bool]) -> Callable[[Sequence[Word]], Iterator[Span]]:
    def find(words: Sequence[Word]) -> Iterator[Span]:
        return (Span(place, place + 1) for place, word in enumerate(words) if fits(word.key))

    return find


def _is_number(key: str) -> bool:
    return key.replace(",", "").replace(".", "", 1).lstrip("+-").isdigit()


def _is_email(key: str) -> bool:
    return "@" in key


def _is_url(key: str) -> bool:
    return "@" not in key and ("//" in key or "." in key.strip(".")) and not _is_number(key)


def _is_code(key: str) -> bool:
    head, dash, tail = key.partition("-")
    return bool(dash) and head.isalpha() and any(sign.isdigit() for sign in tail)


_FINDERS: Mapping[str, Callable[[Sequence[Word]], Iterator[Span]]] = {
    "date": _find_dates,
    "time": _find_times,
    "email": _find_words(_is_email),
    "url": _find_words(_is_url),
    "number": _find_words(_is_number),
    "integer": _find_words(_is_number),
    "code": _find_words(_is_code),
}
