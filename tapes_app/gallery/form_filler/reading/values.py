"""Finds the values in a message: which slot each is for, as it was written."""

import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tapes_app.gallery.form_filler.forms import FunctionSchema
from tapes_app.gallery.form_filler.reading.cues import agrees, is_polite, keys_in
from tapes_app.gallery.form_filler.reading.options import find_described
from tapes_app.gallery.form_filler.reading.spans import (
    Span,
    find_labels,
    find_options,
    find_typed,
)
from tapes_app.gallery.form_filler.reading.words import (
    Word,
    breaks_between,
    has_phrase,
    is_like,
    split_words,
    word_set,
)

_BEFORE_VALUE = word_set(
    "is are should would could will be to take put down ought i'd i go with that's that it's "
    "it its let's let us say goes make made use as for the my our and also well then rather "
    "write note answer here one this that'd it'd want give me choose pick just number field "
    "value set change switch update move have at on please"
)
_AFTER_VALUE = word_set(
    "please instead then now thanks it is will do for me would fine as the my our down under "
    "be a an in into"
)
_MOST_WORDS = 8
"""A longer answer to a question for a short text is talk."""

_ANYWHERE = ("email", "url", "categorical")
"""Types whose values are recognized wherever they stand."""


@dataclass(frozen=True)
class Message:
    """A message, cut into clauses, with what it says of slots that it names."""

    words: tuple[Word, ...]
    named: Mapping[str, str]
    free: tuple[Span, ...]
    """The clauses that name no slot and are not only polite."""


def read_named(text: str, form: FunctionSchema) -> Message:
    """Return the values of the slots that a message names, as they are written."""
    words = split_words(text)
    cuts = _find_cuts(words, form)
    named, used = _read_named(words, cuts, form)
    free = [
        clause
        for clause in itertools.starmap(Span, itertools.pairwise(cuts))
        if not any(clause.overlaps(span) for span in used)
        and not is_polite(words[clause.start : clause.end])
    ]
    return Message(words, named, tuple(free))


def read_unnamed(
    message: Message, form: FunctionSchema, asked: str, filled: Collection[str]
) -> dict[str, str]:
    """Return the values of the slots that a message does not name.

    `asked` is the slot that it answers, and `filled` are those that have values.
    """
    values = _read_recognized(message, form, {*message.named, asked}, asked)
    if asked and asked not in message.named:
        # Whoever corrects a value talks about that, too.
        is_plain = not message.named.keys() & set(filled)
        answer = _read_answer(message, form, asked, is_plain=is_plain)
        if answer:
            values[asked] = answer
    return values


def _find_cuts(words: Sequence[Word], form: FunctionSchema) -> list[int]:
    """Return where clauses begin, and the end: never within a date, as in May 3, 2027."""
    dates = next((slot for slot in form.slots.values() if slot.slot_type == "date"), None)
    spans = find_typed(words, dates) if dates is not None else []
    places = (place for place in range(1, len(words)) if breaks_between(words, place))
    inner = [n for n in places if not any(span.start < n < span.end for span in spans)]
    return [0, *inner, len(words)]


def _read_named(
    words: Sequence[Word], cuts: Sequence[int], form: FunctionSchema
) -> tuple[dict[str, str], list[Span]]:
    """Return the values of the slots that are named, and the words that say so."""
    values: dict[str, str] = {}
    used: list[Span] = []
    labels = find_labels(words, form)
    for number, label in enumerate(labels):
        following = labels[number + 1].start if number + 1 < len(labels) else len(words)
        floor = max((span.end for span in used), default=0)
        start = max(floor, *(cut for cut in cuts if cut <= label.start))
        # After "boat: " a clause ends, and the value follows nevertheless.
        is_headed = words[label.end - 1].ends == ":"
        ends = [cut for cut in cuts if cut > label.end or (cut == label.end and not is_headed)]
        end = min(following, *ends, len(words))
        for region in (Span(label.end, end), Span(start, label.start)):
            value = _cut_value(words, region, form, label.slot)
            if value is not None:
                values[label.slot] = value
                used.append(Span(start, max(region.end, label.end)))
                break
    return values, used


def _cut_value(words: Sequence[Word], region: Span, form: FunctionSchema, slot: str) -> str | None:
    """Return the value that a region has for a slot."""
    inside = words[region.start : region.end]
    parameter = form.slots[slot]
    spans = find_options(inside, form, slot) or find_typed(inside, parameter)
    if spans:
        return _text_of(inside, spans[0])
    if parameter.slot_type == "boolean":
        answer = agrees(keys_in(inside))
        return None if answer is None else ("yes" if answer else "no")
    bare = _strip(inside)
    return _text_of(inside, bare) if bare.start < bare.end else None


def _strip(words: Sequence[Word]) -> Span:
    """Return the words without those around a value."""
    start, end = 0, len(words)
    while start < end and _is_among(words[start].key, _BEFORE_VALUE):
        start += 1
    while end > start and _is_among(words[end - 1].key, _AFTER_VALUE):
        end -= 1
    if has_phrase([word.key for word in words[max(start, end - 1) : end + 1]], "works for"):
        end -= 1
    return Span(start, end)


def _is_among(key: str, known: frozenset[str]) -> bool:
    return not key or key in known or any(is_like(key, word) for word in known)


def _text_of(words: Sequence[Word], span: Span) -> str:
    *inner, last = (word for word in words[span.start : span.end] if word.text)
    return " ".join([*(word.text + word.ends for word in inner), last.text])


def _read_recognized(
    message: Message, form: FunctionSchema, taken: set[str], asked: str
) -> dict[str, str]:
    """Return values that only one slot can take, wherever they stand."""
    values: dict[str, str] = {}
    # A bad address may look like a good one of the other sort.
    is_address = asked in form.slots and form.slots[asked].slot_type in _ANYWHERE[:2]
    for kind in _ANYWHERE[2:] if is_address else _ANYWHERE:
        slots = [name for name, slot in form.slots.items() if slot.slot_type == kind]
        if kind != "categorical" and (len(slots) != 1 or slots[0] in taken):
            continue
        for slot, text in _read_of_kind(message, form, slots):
            if slot not in taken:
                values.setdefault(slot, text)
    return values


def _read_of_kind(
    message: Message, form: FunctionSchema, slots: Sequence[str]
) -> Iterator[tuple[str, str]]:
    for clause in message.free:
        inside = message.words[clause.start : clause.end]
        for slot in slots:
            parameter = form.slots[slot]
            for span in find_options(inside, form, slot) or find_typed(inside, parameter):
                yield slot, _text_of(inside, span)


def _read_answer(message: Message, form: FunctionSchema, slot: str, *, is_plain: bool) -> str:
    """Return the answer to the question for a slot; empty if there is none.

    If it is not plain, only what cannot be anything else is an answer.
    """
    parameter, words, free = form.slots[slot], message.words, message.free
    rest = [word for clause in free for word in words[clause.start : clause.end]]
    spans = find_options(rest, form, slot) or find_typed(rest, parameter)
    if spans:
        return _text_of(rest, spans[0])
    if not is_plain:
        return ""
    if parameter.slot_type == "boolean":
        # A polite word may be the whole answer: "OK".
        answer = agrees(keys_in(rest if rest or message.named else words))
        return "" if answer is None else ("yes" if answer else "no")
    if parameter.slot_type == "categorical":
        described = find_described(keys_in(rest), form, slot)
        if described:
            return described
    return _read_short(words, free)


def _read_short(words: Sequence[Word], clauses: Sequence[Span]) -> str:
    """Return the first clause that may be a value."""
    for clause in clauses:
        inside = words[clause.start : clause.end]
        bare = _strip(inside)
        if 0 < bare.end - bare.start <= _MOST_WORDS:
            return _text_of(inside, bare)
    return ""
