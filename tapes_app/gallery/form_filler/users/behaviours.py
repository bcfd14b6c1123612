"""The nineteen behaviours of users, by the paper's names, and when each of them is possible."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from tapes_app.gallery.form_filler.users import turns
from tapes_app.gallery.form_filler.users.situations import Situation, Turn

Effect = Literal["opens", "advances", "detours"]


@dataclass(frozen=True)
class Behaviour:
    applies: Callable[[Situation], bool]
    act: Callable[[Situation, str], Turn]
    effect: Effect = "detours"
    """Whether it asks for a form, brings the form closer to its end, or does not."""


def _has_no_form(now: Situation) -> bool:
    return now.state.form is None


def _is_first(now: Situation) -> bool:
    return _has_no_form(now) and not now.past


def _is_asked(now: Situation) -> bool:
    return bool(now.asked)


def _answers(now: Situation) -> bool:
    return now.answers or (now.has_form and bool(now.state.asks))


def _answers_choice(now: Situation) -> bool:
    return now.answers and now.choice is not None


def _is_required(now: Situation) -> bool:
    return _is_asked(now) and now.goal.form.schema.is_required(now.asked, now.state.assigned)


def _asks_for(*types: str) -> Callable[[Situation], bool]:
    return lambda now: now.asked_type in types


BEHAVIOURS: Mapping[str, Behaviour] = {
    "UserInitMessageAmazing": Behaviour(_has_no_form, turns.ask_with_values, "opens"),
    "UserInitMessageShort": Behaviour(_has_no_form, turns.ask_shortly, "opens"),
    "UserInitMessageAsk": Behaviour(_is_first, turns.ask_for_forms, "opens"),
    "UserBadInitMessage": Behaviour(_is_first, turns.ask_for_impossible, "opens"),
    "UserHappyPath": Behaviour(_answers, turns.answer, "advances"),
    "UserMultislotInstruct": Behaviour(
        lambda now: now.answers and bool(now.others), turns.answer_and_more, "advances"
    ),
    "UserMultislotFuture": Behaviour(
        lambda now: _is_asked(now) and bool(now.others), turns.give_others, "advances"
    ),
    "UserChangesSlot": Behaviour(lambda now: bool(turns.list_changeable(now)), turns.change),
    "UserAdjectiveOrPosition": Behaviour(_answers_choice, turns.describe_option, "advances"),
    "UserSkipsOptional": Behaviour(
        lambda now: _is_asked(now) and not now.answers and not _is_required(now),
        turns.skip,
        "advances",
    ),
    "UserAsksAboutDocs": Behaviour(_is_asked, turns.ask_about_form),
    "UserAsksAboutFilledParameters": Behaviour(lambda now: now.has_form, turns.ask_what_is_filled),
    "UserAsksForHelp": Behaviour(_asks_for("categorical"), turns.ask_for_advice),
    "UserCorrectValueInvalidValue": Behaviour(
        lambda now: now.answers and bool(turns.list_open_choices(now)),
        turns.answer_with_wrong_extra,
        "advances",
    ),
    "UserInvalidValue": Behaviour(_asks_for("categorical"), turns.answer_wrongly),
    "UserChangesTopic": Behaviour(_is_asked, turns.change_topic),
    "UserSkipsUnskipable": Behaviour(_is_required, turns.skip_required),
    "UserIncorrectDate": Behaviour(_asks_for("date", "time"), turns.answer_wrongly),
    "UserIncorrectWeb": Behaviour(_asks_for("email", "url"), turns.answer_wrongly),
}

LEAVES = "UserLeaves"
"""What a user does, beside the nineteen, once the assistant has chosen a form by mistake."""
