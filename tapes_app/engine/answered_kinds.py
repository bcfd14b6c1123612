"""Unknown kinds that are actions because something answers them, on all of a tape alike."""

from collections.abc import Container, Sequence

from tapes_app.engine.steps import Step, ToldStep, UnknownStep, families_of, family_of


def answered_kinds(steps: Sequence[Step]) -> frozenset[str]:
    """Return the unknown kinds that are actions somewhere among steps: something answers them."""
    return frozenset(
        step.kind
        for step, family in zip(steps, families_of(steps), strict=True)
        if family == "action" and isinstance(step, UnknownStep)
    )


def tell_answered(steps: Sequence[Step], kinds: Container[str]) -> list[Step]:
    """Return steps that know that they are actions, where those of their kind are elsewhere."""
    return [
        ToldStep.build(step, "action")
        if isinstance(step, UnknownStep)
        and step.kind in kinds
        and family_of(step) == "thought"
        and not isinstance(step, ToldStep)
        else step
        for step in steps
    ]
