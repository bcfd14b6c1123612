"""The family of a kind that no class here knows: guessed from its name, or set by a person."""

from collections import Counter, defaultdict
from dataclasses import dataclass

from tapes_app.engine.errors import ConflictError, InvalidInputError
from tapes_app.engine.tape.families import STOP_KINDS, AssignedFamily, Family
from tapes_app.engine.tape.steps import list_step_classes
from tapes_app.projects.services.people import Person
from tapes_app.tapes.store import kind_families

MOST_KINDS = 1000


@dataclass(frozen=True)
class KindFamily:
    """An unknown kind of the project's steps."""

    kind: str
    family: AssignedFamily
    """The family that a person set, or that most of its steps have; "stop" is an action that ends
    its tape."""

    is_told: bool
    """Whether a person set it; otherwise it is guessed from each step."""

    step_count: int


@dataclass(frozen=True)
class FamilyChange:
    """The result of setting a family, or of undoing that."""

    kind: str
    family: AssignedFamily | None
    """The family now set; `None`: it is guessed."""

    before: AssignedFamily | None
    """The family set before; setting it again is the undo."""

    changed_count: int
    """Steps whose family changed, including those just before steps of the kind."""


def list_kind_families(person: Person) -> list[KindFamily]:
    """Return the unknown kinds of the project by name, and those whose family a person set."""
    families = kind_families.load_assigned_families(person.project_id)
    counts: dict[str, Counter[Family]] = defaultdict(Counter)
    for row in kind_families.count_kinds(person.project_id):
        counts[row.kind][row.family] = row.steps
    return [
        KindFamily(
            kind,
            families.get(kind) or _guess(kind, counts[kind]),
            is_told=kind in families,
            step_count=counts[kind].total(),
        )
        for kind in sorted(counts.keys() | families.keys())
        if not list_step_classes(kind)
    ]


def _guess(kind: str, counts: Counter[Family]) -> AssignedFamily:
    return "stop" if kind.lower() in STOP_KINDS else counts.most_common(1)[0][0]


def set_kind_family(person: Person, kind: str, family: AssignedFamily | None) -> FamilyChange:
    """Set the family of an unknown kind in the project; `None` returns to the guess.

    Stored steps get it immediately, imports and runs when they write.

    Raises:
        InvalidInputError: a class here knows the kind.
        ConflictError: the project has assigned families for as many kinds as allowed.
    """
    classes = list_step_classes(kind)
    if classes:
        raise InvalidInputError(
            f"The studio knows {kind!r}: its family is {classes[0].family!r} and stays so; "
            "choose a kind that is not in the list of step kinds.",
            kind=kind,
        )
    families = kind_families.load_assigned_families(person.project_id)
    if family is not None and kind not in families and len(families) >= MOST_KINDS:
        raise ConflictError(
            f"A project can have families for {MOST_KINDS:,} kinds; reset one that you no longer "
            "need first.",
            kind=kind,
        )
    before = kind_families.save_assigned_family(person.project_id, kind, family)
    changed = kind_families.update_rows(person.project_id, kind)
    return FamilyChange(kind, family, before, changed)
