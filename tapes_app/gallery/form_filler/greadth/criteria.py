"""The six criteria as rules over a turn and the label of the message that it answers.

A rule looks for what must be there, in any words: slots by their names, values as the form stores
them or as the user wrote them. Words count only as wholes: "weekend" does not say "end". A rule
errs where somebody says the same without any of these.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import lru_cache

from pydantic import JsonValue

from tapes_app.engine.tape.steps import Step
from tapes_app.gallery.form_filler import steps
from tapes_app.gallery.form_filler.forms import FunctionSchema
from tapes_app.gallery.form_filler.greadth.turns import AssistantTurn
from tapes_app.gallery.form_filler.reading.words import content_of

_REFUSING = (
    "cannot", "can't", "can not", "only help", "no form", "not able", "unable", "sorry",
    "not possible", "invalid", "not valid", "does not", "doesn't", "is not",
)  # fmt: skip
_REQUIRED = ("required", "mandatory", "needed", "must", "cannot be left", "cannot be skipped")
_OPTIONAL = (
    "skip", "skipped", "optional", "leave it out", "left out", "leave it empty", "not required",
)  # fmt: skip
_SUBMITTING = ("submit", "submitted", "submitting", "send", "sent", "sending")
_LEAVING = (
    "end", "ending", "leave", "leaving", "exit", "stop", "stopping", "quit", "cancel", "abort",
)  # fmt: skip
_ASSISTANT_WORDS = (
    "form submit skip help required default choose complete end goodbye what which shall left out "
    "cannot can answer nothing missing filled far open yes leave by have only take say optional "
    "without until now hi sorry skipped"
)
_KNOWN_SHARE = 0.5


def is_accurate(turn: AssistantTurn) -> bool:
    """The form is the one that was asked for, and changes exactly as the user said."""
    label, form = turn.label, turn.after.form
    chosen = [one.function for one in turn.steps if isinstance(one, steps.InspectFunctionAction)]
    if turn.before.form is None and chosen != ([label.form] if label.form else []):
        return False
    values = label.values if form is not None else {}
    allowed = tuple(
        name
        for name in label.skips
        if form is not None and not form.is_required(name, turn.before.assigned)
    )
    last = turn.steps[-1] if turn.steps else None
    submits = any(isinstance(one, steps.CallFunctionAction) for one in turn.steps)
    leaves = isinstance(last, steps.ExitAction)
    agrees = bool(label.confirms)
    return (
        turn.assigned == values
        and turn.skipped == allowed
        and submits == (agrees and turn.before.may == "submit")
        and leaves == (agrees and turn.before.may == "exit")
    )


def is_disciplined(turn: AssistantTurn) -> bool:
    """The message does what the thoughts have planned."""
    if not turn.message:
        return True
    text = turn.message.casefold()
    return all(
        check(thought, text)
        for thought in turn.steps
        if (check := _PLANNED.get(type(thought))) is not None
    ) and _asks_only_for_one(turn)


def _asks_only_for_one(turn: AssistantTurn) -> bool:
    planned = [one for one in turn.steps if isinstance(one, _REQUESTS)]
    return turn.message.count("?") <= 1 and len(planned) <= 1


_REQUESTS = (
    steps.RequestFunctionThought,
    steps.RequestFunctionParametersThought,
    steps.RequestFunctionCallConfirmationThought,
    steps.RequestExitConfirmationThought,
)


def _names_slot(step: Step, text: str) -> bool:
    name = step.parameters[0] if isinstance(step, _REQUESTS[1]) else getattr(step, "parameter", "")
    return says(text, _spell(str(name)))


def _has_any(*groups: Collection[str]) -> Callable[[Step, str], bool]:
    return lambda _, text: all(_says_any(text, group) for group in groups)


_PLANNED: Mapping[type[Step], Callable[[Step, str], bool]] = {
    steps.RequestFunctionParametersThought: lambda step, text: (
        "?" in text and _names_slot(step, text)
    ),
    steps.RequestFunctionCallConfirmationThought: lambda _, text: (
        "?" in text and _says_any(text, _SUBMITTING)
    ),
    steps.RequestExitConfirmationThought: lambda _, text: "?" in text and _says_any(text, _LEAVING),
    steps.RequestFunctionThought: lambda _, text: "?" in text,
    steps.RefuseInvalidFunctionParameterValueThought: lambda step, text: (
        _names_slot(step, text) and _has_any(_REFUSING)(step, text)
    ),
    steps.RefuseSkippingParameterThought: lambda step, text: (
        _names_slot(step, text) and _has_any(_REQUIRED)(step, text)
    ),
    steps.RefuseInexistentFunctionThought: _has_any(_REFUSING),
    steps.RefuseToEngageThought: _has_any(_REFUSING),
    steps.NoAnswerInFunctionSchemaThought: _has_any(_REFUSING),
}


def is_transparent(turn: AssistantTurn) -> bool:
    """The message names every slot that changed, with its value if it has one."""
    text = turn.message.casefold()
    if not turn.message:
        return not turn.assigned and not turn.skipped
    filled = all(
        says(text, _spell(slot)) and _is_shown(value, text) for slot, value in turn.assigned.items()
    )
    return filled and all(says(text, _spell(slot)) for slot in turn.skipped)


def _is_shown(value: JsonValue, text: str) -> bool:
    if isinstance(value, bool):
        return _says_any(text, ("yes", "true") if value else ("no", "false"))
    return says(text, str(value).casefold())


def says(text: str, phrase: str) -> bool:
    """Return whether a text has a phrase as whole words: "5" is not in "15", nor in "2.5"."""
    return _find_phrase(phrase).search(text) is not None


@lru_cache(maxsize=4096)
def _find_phrase(phrase: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?<!\w[.,:/@-]){re.escape(phrase)}(?!\w|[.,:/@-]\w)")


def _says_any(text: str, phrases: Collection[str]) -> bool:
    return any(says(text, phrase) for phrase in phrases)


def is_helpful(turn: AssistantTurn) -> bool:
    """The dialogue moves on, with what the user needs to know for it."""
    if not turn.message:
        return bool(turn.label.confirms)
    form = turn.after.form
    text = turn.message.casefold()
    planned = [one for one in turn.steps if isinstance(one, _REQUESTS)]
    if not planned or "?" not in text:
        return False
    request = planned[-1]
    if isinstance(request, steps.RequestFunctionParametersThought) and form is not None:
        slot = request.parameters[0]
        is_open = slot in turn.after.outstanding
        if not is_open or not all(says(text, word) for word in _list_needed(form, slot)):
            return False
        if not form.is_required(slot, turn.after.assigned) and not _has_any(_OPTIONAL)(
            request, text
        ):
            return False
    return _answers(turn, text)


def _list_needed(form: FunctionSchema, slot: str) -> Iterator[str]:
    """Yield what must be said of a slot when asking for it."""
    yield from (choice.casefold() for choice in form.slots[slot].enum or ())
    default = form.slots[slot].default
    if default not in (None, "") and not isinstance(default, bool):
        yield str(default).casefold()


def _answers(turn: AssistantTurn, text: str) -> bool:
    """Return whether a question is answered, in the words of the form or by its state."""
    match turn.label.asks_about:
        case "filled":
            return all(_is_shown(value, text) for value in turn.after.assigned.values())
        case "missing":
            return all(says(text, _spell(slot)) for slot in turn.after.outstanding)
        case "forms":
            return any(isinstance(one, steps.RequestFunctionThought) for one in turn.steps)
        case "":
            return True
        case _:
            return says(text, turn.label.answer.casefold().rstrip("."))


def is_responsive(turn: AssistantTurn) -> bool:
    """The message takes up all that the user brought, also what cannot be done."""
    label, text = turn.label, turn.message.casefold()
    refuses = _says_any(text, _REFUSING)
    if label.invalid and not all(
        says(text, _spell(slot)) and says(text, value.casefold()) and refuses
        for slot, value in label.invalid.items()
    ):
        return False
    refused = [name for name in label.skips if name not in turn.skipped]
    if refused and not _says_any(text, _REQUIRED):
        return False
    asks_nothing_possible = label.is_off_topic or label.behaviour == "UserBadInitMessage"
    if asks_nothing_possible and not refuses:
        return False
    return is_transparent(turn) and _answers(turn, text)


def is_grounded(turn: AssistantTurn) -> bool:
    """Each sentence speaks of the form, the dialogue or the assistant's own work."""
    known = _list_content(f"{turn.known_text} {_ASSISTANT_WORDS}")
    for sentence in _split_sentences(turn.message):
        words = _list_content(sentence)
        if words and len(words & known) <= len(words) * _KNOWN_SHARE:
            return False
        if any(any(sign.isdigit() for sign in word) and word not in known for word in words):
            return False
    return True


def _list_content(text: str) -> frozenset[str]:
    words = text.casefold().replace("_", " ").translate(_SIGNS).split()
    return content_of([word.strip(".!?:") for word in words])


_SIGNS = {ord(sign): " " for sign in "{}[]\"'|;,"}


def _split_sentences(text: str) -> list[str]:
    marked = text.replace("! ", "!\n").replace("? ", "?\n").replace(". ", ".\n")
    return [sentence for sentence in marked.splitlines() if sentence.strip()]


def _spell(slot: str) -> str:
    return slot.replace("_", " ").casefold()
