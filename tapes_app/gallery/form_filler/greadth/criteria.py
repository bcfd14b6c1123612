"""The six criteria as rules over a turn and the label of the message that it answers.

A rule looks for what must be there, in any words: slots by their names, values as the form stores
them or as the user wrote them. It errs where somebody says the same without any of these.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from pydantic import JsonValue

from tapes_app.engine.tape.steps import Step
from tapes_app.gallery.form_filler import steps
from tapes_app.gallery.form_filler.forms import FunctionSchema
from tapes_app.gallery.form_filler.greadth.turns import AssistantTurn
from tapes_app.gallery.form_filler.reading.words import content_of, keys_of

_REFUSING = (
    "cannot", "can't", "can not", "only help", "no form", "not able", "unable", "sorry",
    "not possible", "invalid", "not valid", "does not", "doesn't", "is not",
)  # fmt: skip
_REQUIRED = ("required", "mandatory", "needed", "must", "cannot be left", "cannot be skipped")
_OPTIONAL = ("skip", "optional", "leave it out", "leave it empty", "not required")
_SUBMITTING = ("submit", "send")
_LEAVING = ("end", "leave", "exit", "stop", "quit", "cancel", "abort")
_ASSISTANT_WORDS = (
    "form submit skip help required default choose complete end goodbye what which shall left out "
    "cannot can answer nothing missing filled far open yes leave by have only take say optional "
    "without until now hi sorry"
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
    return _spell(str(name)) in text


def _has_any(*groups: Sequence[str]) -> Callable[[Step, str], bool]:
    return lambda _, text: all(any(word in text for word in group) for group in groups)


_PLANNED: Mapping[type[Step], Callable[[Step, str], bool]] = {
    steps.RequestFunctionParametersThought: lambda step, text: (
        "?" in text and _names_slot(step, text)
    ),
    steps.RequestFunctionCallConfirmationThought: _has_any(_SUBMITTING, "?"),
    steps.RequestExitConfirmationThought: _has_any(_LEAVING, "?"),
    steps.RequestFunctionThought: _has_any("?"),
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
        _spell(slot) in text and _is_shown(value, text, turn)
        for slot, value in turn.assigned.items()
    )
    return filled and all(_spell(slot) in text for slot in turn.skipped)


def _is_shown(value: JsonValue, text: str, turn: AssistantTurn) -> bool:
    if isinstance(value, bool):
        return ("yes" if value else "no") in keys_of(text) or str(value).casefold() in text
    return str(value).casefold() in text


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
        if not is_open or not all(word in text for word in _list_needed(form, slot)):
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
            return all(_is_shown(value, text, turn) for value in turn.after.assigned.values())
        case "missing":
            return all(_spell(slot) in text for slot in turn.after.outstanding)
        case "forms":
            return any(isinstance(one, steps.RequestFunctionThought) for one in turn.steps)
        case "":
            return True
        case _:
            return turn.label.answer.casefold().rstrip(".") in text


def is_responsive(turn: AssistantTurn) -> bool:
    """The message takes up all that the user brought, also what cannot be done."""
    label, text = turn.label, turn.message.casefold()
    refuses = any(word in text for word in _REFUSING)
    if label.invalid and not all(
        _spell(slot) in text and value.casefold() in text and refuses
        for slot, value in label.invalid.items()
    ):
        return False
    refused = [name for name in label.skips if name not in turn.skipped]
    if refused and not any(word in text for word in _REQUIRED):
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
