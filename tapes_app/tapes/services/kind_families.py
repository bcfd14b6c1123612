"""What family a kind has that no class here knows: guessed from its name, or told by a person."""

from collections import Counter, defaultdict
from dataclasses import dataclass

from tapes_app.engine.errors import ConflictError, InvalidInputError
from tapes_app.engine.steps import Family, ToldFamily, list_step_classes
from tapes_app.engine.stop_kinds import STOP_KINDS
from tapes_app.projects.services.people import Person
from tapes_app.tapes.store import kind_families

MOST_KINDS = 1000


@dataclass(frozen=True)
class KindFamily:
    """An unknown kind of the project's steps."""

    kind: str
    family: ToldFamily
    """The one that a person told, or that most of its steps have; "stop" is an action that ends
    its tape."""

    is_told: bool
    """Whether a person told it; otherwise it is guessed from each step."""

    step_count: int


@dataclass(frozen=True)
class FamilyChange:
    """What telling a family, or taking that back, came to."""

    kind: str
    family: ToldFamily | None
    """What is told now; `None`: it is guessed."""

    before: ToldFamily | None
    """What was told before; to tell it again is the undo."""

    changed_count: int
    """Steps whose family changed, those before them included."""


def list_kind_families(person: Person) -> list[KindFamily]:
    """Return the unknown kinds of the project, by name, and those that a person told."""
    told = kind_families.load_told(person.project_id)
    counts: dict[str, Counter[Family]] = defaultdict(Counter)
    for row in kind_families.count_kinds(person.project_id):
        counts[row.kind][row.family] = row.steps
    return [
        KindFamily(
            kind,
            told.get(kind) or _guess(kind, counts[kind]),
            is_told=kind in told,
            step_count=counts[kind].total(),
        )
        for kind in sorted(counts.keys() | told.keys())
        if not list_step_classes(kind)
    ]


def _guess(kind: str, counts: Counter[Family]) -> ToldFamily:
    return "stop" if kind.lower() in STOP_KINDS else counts.most_common(1)[0][0]


def set_kind_family(person: Person, kind: str, family: ToldFamily | None) -> FamilyChange:
    """Tell the family of an unknown kind in the project; `None` goes back to the guess.

    Stored steps have it at once, imports and runs when they write.

    Raises:
        InvalidInputError: a class here knows the kind.
        ConflictError: the project has as many told kinds as it may.
    """
    classes = list_step_classes(kind)
    if classes:
        raise InvalidInputError(
            f"The studio knows {kind!r}: its family is {classes[0].family!r} and stays so; "
            "choose a kind that is not in the list of step kinds.",
            kind=kind,
        )
    told = kind_families.load_told(person.project_id)
    if family is not None and kind not in told and len(told) >= MOST_KINDS:
        raise ConflictError(
            f"A project can have families for {MOST_KINDS:,} kinds; reset one that you no longer "
            "need first.",
            kind=kind,
        )
    before = kind_families.save_told(person.project_id, kind, family)
    changed = kind_families.update_rows(person.project_id, kind)
    return FamilyChange(kind, family, before, changed)
