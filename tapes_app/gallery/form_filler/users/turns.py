"""What users say in each of their behaviours."""

from collections.abc import Mapping

from pydantic import JsonValue

from tapes_app.gallery.form_filler.companies.generator import spell
from tapes_app.gallery.form_filler.companies.vocabulary import Choice
from tapes_app.gallery.form_filler.users.goals import draw_change
from tapes_app.gallery.form_filler.users.situations import Situation, Turn
from tapes_app.gallery.form_filler.users.wrong_values import draw_wrong_value

_ORDINALS = ("first", "second", "third", "fourth", "fifth")
_MOST_EXTRA = 3


def _pick(situation: Situation, *, least: int = 1) -> list[str]:
    """Return some open slots in any order."""
    most = min(len(situation.others), _MOST_EXTRA)
    return situation.chance.sample(situation.others, situation.chance.randint(least, most))


def _values(situation: Situation, slots: list[str]) -> Mapping[str, JsonValue]:
    return {name: situation.goal.values[name] for name in slots}


def ask_with_values(now: Situation, name: str) -> Turn:
    wanted = list(now.goal.values)
    slots = now.chance.sample(wanted, now.chance.randint(1, min(len(wanted), _MOST_EXTRA)))
    first = now.phrase(now.phrases.ask_form, **_request(now))
    text = now.join([first, *map(now.give, slots)])
    return now.speak(text, name, form=now.goal.form.name, values=_values(now, slots))


def ask_shortly(now: Situation, name: str) -> Turn:
    text = now.phrase(now.phrases.short_form, **_request(now))
    return now.speak(text, name, form=now.goal.form.name)


def _request(now: Situation) -> dict[str, str]:
    request = now.goal.form.request
    return {"request": f"{request.verb} {request.thing}", "thing": request.thing}


def ask_for_forms(now: Situation, name: str) -> Turn:
    return now.speak(now.phrase(now.phrases.ask_forms), name, asks_about="forms")


def ask_for_impossible(now: Situation, name: str) -> Turn:
    return now.speak(now.phrase(now.phrases.impossible), name)


def answer(now: Situation, name: str) -> Turn:
    if now.state.asks:
        is_submit = now.state.asks == "submit"
        templates = now.phrases.confirm if is_submit else now.phrases.stay
        return now.speak(now.phrase(templates), name, confirms=is_submit)
    return now.speak(now.answer(), name, values=_values(now, [now.asked]))


def answer_and_more(now: Situation, name: str) -> Turn:
    slots = _pick(now)
    text = now.join([now.answer(), *map(now.give, slots)])
    return now.speak(text, name, values=_values(now, [now.asked, *slots]))


def give_others(now: Situation, name: str) -> Turn:
    slots = _pick(now)
    return now.speak(now.join(map(now.give, slots)), name, values=_values(now, slots))


def list_changeable(now: Situation) -> list[str]:
    """Return the filled slots that the user may change their mind about."""
    return [slot for slot in now.state.assigned if now.goal.wants(slot)] if now.has_form else []


def change(now: Situation, name: str) -> Turn:
    slots = list_changeable(now)
    now.chance.shuffle(slots)
    for slot in slots:
        value = draw_change(now.goal, slot, now.chance)
        if value is not None:
            fields = {"label": spell(slot), "value": now.write_value(slot, value)}
            text = now.phrase(now.phrases.change, **fields)
            return now.speak(text, name, values={slot: value})
    return ask_what_is_filled(now, "UserAsksAboutFilledParameters")


def describe_option(now: Situation, name: str) -> Turn:
    """Answer with what sets an option apart, or with its place in the list."""
    assert now.choice is not None
    value = str(now.goal.values[now.asked])
    options = now.goal.form.schema.slots[now.asked].enum or ()
    place = options.index(value)
    if now.chance.random() < 0.5:  # noqa: PLR2004
        trait = next(one.trait for one in now.choice.options if one.name == value)
        text = now.phrase(now.phrases.by_trait, trait=trait)
    else:
        fields = {"ordinal": _ORDINALS[place], "number": str(place + 1)}
        text = now.phrase(now.phrases.by_position, **fields)
    return now.speak(text, name, values=_values(now, [now.asked]))


def skip(now: Situation, name: str) -> Turn:
    return now.speak(now.phrase(now.phrases.skip), name, skips=[now.asked])


def skip_required(now: Situation, name: str) -> Turn:
    return now.speak(now.phrase(now.phrases.skip_required), name, skips=[now.asked])


def ask_about_form(now: Situation, name: str) -> Turn:
    """Ask for a fact in the description, or what an option is."""
    facts, choice = now.goal.form.facts, now.choice
    if choice is not None and now.chance.random() < 0.5:  # noqa: PLR2004
        option = now.chance.choice(choice.options)
        text = now.phrase(now.phrases.ask_option, option=option.name)
        return now.speak(text, name, asks_about="option", answer=option.trait)
    topic = now.chance.choice(sorted(facts))
    text = now.phrase(now.phrases.ask_fact[topic])
    return now.speak(text, name, asks_about="fact", answer=facts[topic])


def ask_what_is_filled(now: Situation, name: str) -> Turn:
    about = now.chance.choice(("filled", "missing"))
    templates = now.phrases.ask_filled if about == "filled" else now.phrases.ask_missing
    return now.speak(now.phrase(templates), name, asks_about=about)


def ask_for_advice(now: Situation, name: str) -> Turn:
    assert now.choice is not None
    option = now.chance.choice(now.choice.options)
    text = now.phrase(now.phrases.advice, need=option.need)
    return now.speak(text, name, asks_about="advice", answer=option.name)


def answer_with_wrong_extra(now: Situation, name: str) -> Turn:
    slot = now.chance.choice(list_open_choices(now))
    wrong = draw_wrong_value("categorical", now)
    extra = now.phrase(now.phrases.give_wrong, label=spell(slot), value=wrong)
    text = now.join([now.answer(), extra])
    return now.speak(text, name, values=_values(now, [now.asked]), invalid={slot: wrong})


def list_open_choices(now: Situation) -> list[str]:
    """Return the open choices except the one that was asked for."""
    slots = now.goal.form.slots
    others = now.state.outstanding if now.has_form else ()
    return [name for name in others if name != now.asked and isinstance(slots[name], Choice)]


def answer_wrongly(now: Situation, name: str) -> Turn:
    wrong = draw_wrong_value(now.asked_type, now)
    text = now.phrase(now.phrases.answer, value=wrong)
    return now.speak(text, name, invalid={now.asked: wrong})


def change_topic(now: Situation, name: str) -> Turn:
    return now.speak(now.phrase(now.phrases.off_topic), name, is_off_topic=True)


def leave(now: Situation, name: str) -> Turn:
    if now.state.asks == "exit":
        return now.speak(now.phrase(now.phrases.yes), name, confirms=True)
    return now.speak(now.phrase(now.phrases.leave), name)
