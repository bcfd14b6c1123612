"""Which behaviour comes next: drawn among those that are possible."""

from collections import Counter

from tapes_app.gallery.form_filler.users.behaviours import BEHAVIOURS, LEAVES, Effect
from tapes_app.gallery.form_filler.users.situations import Situation, Turn
from tapes_app.gallery.form_filler.users.turns import leave

_USUAL = "UserHappyPath"
_OTHERWISE = "UserAsksAboutFilledParameters"
"""What a user does whom nobody has asked anything."""


def list_possible(now: Situation, effect: Effect, allowed: frozenset[str]) -> list[str]:
    """Return the behaviours with an effect that are possible now."""
    return [
        name
        for name, behaviour in BEHAVIOURS.items()
        if behaviour.effect == effect and name in allowed and behaviour.applies(now)
    ]


def take_turn(
    now: Situation, *, allowed: frozenset[str], detour_share: float, most_detours: int
) -> Turn:
    """Return what the user does next.

    Nobody repeats a detour in a dialogue, or makes more than `most_detours`. A user whose wish was
    misunderstood leaves. What is not allowed still happens where nothing else is possible.
    """
    if now.state.form is not None and not now.has_form:
        return leave(now, LEAVES)
    if now.state.form is None:
        names = list_possible(now, "opens", allowed) or ["UserInitMessageShort"]
        return act(now, now.chance.choice(names))
    past = Counter(now.past)
    detours = [name for name in list_possible(now, "detours", allowed) if not past[name]]
    made = sum(past[name] for name in BEHAVIOURS if BEHAVIOURS[name].effect == "detours")
    if detours and made < most_detours and now.chance.random() < detour_share:
        return act(now, now.chance.choice(detours))
    names = list_possible(now, "advances", allowed | {_USUAL, "UserSkipsOptional"})
    # Not again what brought no answer before.
    fresh = [name for name in names if not (name == "UserMultislotFuture" and past[name])]
    return act(now, now.chance.choice(fresh or names or [_OTHERWISE]))


def list_next(now: Situation, allowed: frozenset[str]) -> list[str]:
    """Return all that the user might do next; nobody repeats a detour in a dialogue."""
    if now.state.form is not None and not now.has_form:
        return [LEAVES]
    if now.state.form is None:
        return list_possible(now, "opens", allowed) or ["UserInitMessageShort"]
    past = frozenset(now.past)
    detours = [name for name in list_possible(now, "detours", allowed) if name not in past]
    advances = list_possible(now, "advances", allowed | {_USUAL, "UserSkipsOptional"})
    return [*detours, *advances] or [_OTHERWISE]


def act(now: Situation, name: str) -> Turn:
    """Return what the user says in a behaviour that is possible."""
    return leave(now, LEAVES) if name == LEAVES else BEHAVIOURS[name].act(now, name)
