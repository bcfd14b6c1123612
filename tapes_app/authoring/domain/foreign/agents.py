"""What the files of other frameworks say of agents: who they are, and who acts after whom."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, TypeAlias

from tapes_app.builders.conditions import Comparison
from tapes_app.engine.tape.defined_kinds import DefinedKind

_MOST_DIFFERENCES = 60
_LONGEST_LINE = 500


class Difference(NamedTuple):
    """Something that a file says, and the agent made from it does not do."""

    place: str
    """Where it stands, such as `root_agent.yaml, tools[0]` or `line 12`."""

    message: str
    """A sentence."""


@dataclass(frozen=True)
class AgentFiles:
    """The file that was chosen, and those that it may name by their paths."""

    text: str
    path: str = ""
    others: Mapping[str, str] = field(default_factory=dict)
    """Texts by their paths, with `/`, relative to the folder of all of them."""


@dataclass(frozen=True)
class Ask:
    """A member answers; it is told what the members in `after` answered."""

    member: str
    after: tuple[str, ...] = ()


@dataclass(frozen=True)
class FieldIs:
    """What the answer of a member has in a field compares with a value."""

    member: str
    field: str
    comparison: Comparison
    value: str | int | float | bool


@dataclass(frozen=True)
class SaysYes:
    """The person answers a question with yes."""

    question: str


@dataclass(frozen=True)
class Choose:
    """One of two courses, by a condition."""

    condition: FieldIs | SaysYes
    then: "Course"
    otherwise: "Course"


@dataclass(frozen=True)
class Say:
    """The person is told something, and the turn ends."""

    text: str


@dataclass(frozen=True)
class End:
    """The turn ends with the last answer of a member."""


Act: TypeAlias = Ask | Choose | Say | End
Course: TypeAlias = tuple[Act, ...]


Speaks = Literal["one", "all", "together", "course"]


@dataclass(frozen=True)
class ForeignAgent:
    """One agent with its members, as far as it has an equivalent here."""

    name: str
    description: str = ""
    instruction: str = ""
    model: str = ""
    """As the other framework calls it; empty: that of its manager."""

    parameters: Mapping[str, Any] = field(default_factory=dict)
    tools: tuple[str, ...] = ()
    """What specs call tools that are registered here."""

    form: DefinedKind | None = None
    """The form of its answers; `None`: text."""

    members: tuple["ForeignAgent", ...] = ()
    speaks: Speaks = "one"
    """Which members answer a task: one, which the model chooses; all, in turn; all at once; or
    those that the course names."""

    rounds: int = 1
    """How often all members speak on a task."""

    course: Course = ()

    def walk(self) -> Iterator["ForeignAgent"]:
        yield self
        for member in self.members:
            yield from member.walk()


class ForeignReading(NamedTuple):
    """An agent of another framework, with what of its files has no equivalent."""

    origin: str
    """The format in words."""

    agent: ForeignAgent
    differences: tuple[Difference, ...]


def write_note(origin: str, differences: Iterable[Difference]) -> str:
    """Return the note of a version made from a file: where it is from, and what it lacks."""
    found = list(dict.fromkeys(differences))
    opening = f"Imported from {origin}."
    if not found:
        return opening
    lines = [
        f"- {place}: {message}"[:_LONGEST_LINE] for place, message in found[:_MOST_DIFFERENCES]
    ]
    if len(found) > _MOST_DIFFERENCES:
        lines.append(f"- and {len(found) - _MOST_DIFFERENCES} more")
    return "\n".join((f"{opening} Check these, which have no equivalent or differ:", *lines))
