"""What a service desk has on record, made from a seed, and what a run has changed of it."""

import random
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Any, Self

from pydantic import Field, StringConstraints, ValidationError

from tapes_app.engine.errors import InvalidInputError
from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.gallery.web_tasks.articles import Article, make_articles

DEPARTMENTS = ("Engineering", "Finance", "Sales", "Support")
CATEGORIES = ("Access", "Hardware", "Network", "Software")
PRIORITIES = ("Low", "Medium", "High", "Critical")
"""From the least urgent one."""

INCIDENT_STATES = ("New", "In progress", "On hold", "Resolved")
ASSET_STATES = ("In use", "In stock", "In repair", "Retired")
NOBODY = "Nobody"

_SITES = ("Bergen", "Lyon", "Porto")
_FIRST_NAMES = (
    "Ada", "Bruno", "Chloe", "Daniel", "Edith", "Farid", "Greta", "Hassan", "Ines", "Jonas",
    "Kira", "Liam", "Mona", "Nils", "Olga", "Pavel",
)  # fmt: skip
_LAST_NAMES = (
    "Amsel", "Brandt", "Costa", "Dahl", "Ekman", "Fontaine", "Gallo", "Holm", "Ivanov", "Jansen",
    "Keller", "Lind", "Moreau", "Novak", "Olsen", "Petit",
)  # fmt: skip
_TROUBLES = {
    "Access": ("Account is locked", "Cannot open the shared drive", "Badge does not open the door"),
    "Hardware": ("Screen flickers", "Keyboard is broken", "Laptop does not charge"),
    "Network": ("Wireless is slow", "VPN drops every hour", "No connection in the meeting room"),
    "Software": ("Mail program crashes", "Licence has expired", "Update fails"),
}
_MODELS = {
    "Fenix 14 laptop": 1_450, "Fenix 16 laptop": 1_900, "Lumen 27 screen": 320,
    "Orbit phone": 640, "Tern docking station": 180,
}  # fmt: skip
_PEOPLE, _SOLVERS, _INCIDENTS, _ASSETS = 12, 4, 18, 12
MOST_CHANGES = 100
"""Incidents that a run may change or report, and orders that it may place."""

Line = Annotated[str, StringConstraints(max_length=200)]


class Person(FrozenModel):
    name: str
    department: str
    site: str
    phone: str


class Asset(FrozenModel):
    tag: str
    model: str
    owner: str
    state: str
    bought: str
    cost: int


class Incident(FrozenModel):
    number: Line
    description: Line
    caller: Line
    category: Line
    priority: Line
    state: Line
    assigned_to: Line


class Order(FrozenModel):
    item: Line
    options: Annotated[dict[Line, Line], Field(max_length=10)]
    quantity: Annotated[int, Field(ge=1, le=99)]


class Shown(FrozenModel):
    """The page that was opened last, and of a list what of it is shown and in which order."""

    page: Line
    record: Line = ""
    filters: Annotated[tuple[Line, ...], Field(max_length=10)] = ()
    sort: Line = ""


class Records(FrozenModel):
    """All that a desk has on record at its beginning."""

    people: tuple[Person, ...]
    incidents: tuple[Incident, ...]
    assets: tuple[Asset, ...]
    articles: tuple[Article, ...]

    @property
    def solvers(self) -> Sequence[str]:
        """Names of those whom incidents are assigned to."""
        return [person.name for person in self.people[:_SOLVERS]]


class DeskState(FrozenModel):
    """A desk as a step keeps it: its seed, what has changed since, and what is shown."""

    seed: Annotated[int, Field(ge=0, le=10**9)] = 0
    incidents: Annotated[tuple[Incident, ...], Field(max_length=MOST_CHANGES)] = ()
    """Those that were changed or reported, by number."""

    orders: Annotated[tuple[Order, ...], Field(max_length=MOST_CHANGES)] = ()
    shown: Shown | None = None

    @classmethod
    def read(cls, kept: Any) -> Self:
        """Return what a step or a task holds; nothing means the desk of seed 0.

        Raises:
            InvalidInputError: it is no state of a desk.
        """
        try:
            return cls() if kept is None else cls.model_validate(kept)
        except ValidationError as error:
            raise InvalidInputError(
                "The tape has a state of the service desk that cannot be read; start from a step "
                'before it, or give the task one such as {"service_desk": {"seed": 7}}.'
            ) from error

    def write(self) -> dict[str, Any]:
        return self.model_dump(mode="json")

    @property
    def records(self) -> Records:
        return make_records(self.seed)

    def list_incidents(self) -> list[Incident]:
        """Return all incidents as they are now, by number."""
        by_number = {one.number: one for one in (*self.records.incidents, *self.incidents)}
        return [by_number[number] for number in sorted(by_number)]

    def find_incident(self, number: str) -> Incident | None:
        return next((one for one in self.list_incidents() if one.number == number), None)

    def with_incident(self, incident: Incident) -> Self:
        """Return the desk with an incident that is new or replaces the one of its number."""
        changed = {one.number: one for one in (*self.incidents, incident)}
        if incident in self.records.incidents:  # as it was at the beginning
            del changed[incident.number]
        return self.model_copy(
            update={"incidents": tuple(changed[number] for number in sorted(changed))}
        )

    def next_number(self) -> str:
        return f"INC{int(self.list_incidents()[-1].number[3:]) + 1}"


@lru_cache(maxsize=100)
def make_records(seed: int) -> Records:
    """Return what the desk of a seed has on record at its beginning."""
    chance = random.Random(f"service desk {seed}")  # noqa: S311 - to repeat, not a secret
    people = tuple(_make_people(chance))
    names = [person.name for person in people]
    return Records(
        people=people,
        incidents=tuple(_make_incidents(chance, names)),
        assets=tuple(_make_assets(chance, names)),
        articles=make_articles(chance),
    )


def _make_people(chance: random.Random) -> Iterator[Person]:
    firsts = chance.sample(_FIRST_NAMES, _PEOPLE)
    lasts = chance.sample(_LAST_NAMES, _PEOPLE)
    for at, (first, last) in enumerate(zip(firsts, lasts, strict=True)):
        yield Person(
            name=f"{first} {last}",
            department="Support" if at < _SOLVERS else chance.choice(DEPARTMENTS),
            site=chance.choice(_SITES),
            phone=f"ext {chance.randint(2_000, 9_999)}",
        )


def _make_incidents(chance: random.Random, names: Sequence[str]) -> Iterator[Incident]:
    first = chance.randint(1_000, 8_000)
    for at in range(_INCIDENTS):
        category = chance.choice(CATEGORIES)
        yield Incident(
            number=f"INC{first + at}",
            description=chance.choice(_TROUBLES[category]),
            caller=chance.choice(names),
            category=category,
            priority=chance.choice(PRIORITIES),
            state=chance.choice(INCIDENT_STATES),
            assigned_to=chance.choice((NOBODY, *names[:_SOLVERS])),
        )


def _make_assets(chance: random.Random, names: Sequence[str]) -> Iterator[Asset]:
    days: Mapping[int, None] = dict.fromkeys(chance.sample(range(365 * 4), _ASSETS))
    first = chance.randint(100, 800)
    for at, day in enumerate(days):
        model = chance.choice(tuple(_MODELS))
        yield Asset(
            tag=f"A{first + at}",
            model=model,
            owner=chance.choice(names),
            state=chance.choice(ASSET_STATES),
            bought=f"{2021 + day // 365}-{day % 365 // 31 + 1:02}-{day % 28 + 1:02}",
            cost=_MODELS[model] + chance.randint(-9, 9) * 10,
        )
