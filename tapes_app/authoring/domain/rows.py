"""The draft of an agent as a page shows it: its spec, what is wrong with it, and its drawing."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from tapes_app.engine.agent.spec import AgentSpec


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in a spec that does not work."""

    path: str
    """JSON pointer into the spec, such as `/nodes/0/settings/next_node`; empty: all of it."""

    message: str
    severity: Literal["error", "warning"] = "error"
    """With an error the spec cannot be saved as a version; with a warning it can."""


@dataclass(frozen=True, slots=True)
class EnvironmentType:
    """A type of environment that an agent can name."""

    name: str
    description: str
    """One line."""

    settings_schema: dict[str, Any] | None
    """JSON schema of its settings; `None` if it has none."""


@dataclass(frozen=True, slots=True)
class TextVariable:
    """Something that a prompt text can be filled in with, or a filter: a way to write it."""

    name: str
    """Such as `plan.formula`, of `{{ plan.formula }}`; of a filter, what follows the bar."""

    holds: str
    """In a few words, what it is."""


@dataclass(frozen=True, slots=True)
class GraphNode:
    """A node in the drawing of an agent."""

    path: str
    """JSON pointer to the node, such as `/subagents/1/nodes/0`."""

    agent: str
    """Its agent by the names from the root on, such as `team/worker`."""

    name: str
    type: str
    is_reachable: bool


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """What may run after a node; source and target are paths of nodes."""

    source: str
    target: str
    label: str


@dataclass(frozen=True, slots=True)
class Graph:
    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]


@dataclass(frozen=True, slots=True)
class NodeType:
    """A class of nodes that a spec can name."""

    type: str
    title: str
    description: str
    settings_schema: dict[str, Any]
    """The JSON schema of its settings without the name."""

    has_prompt: bool
    """Whether it may ask a model."""

    function_schema: dict[str, Any] | None
    """The JSON schema of the function that it calls, a template of its agent; `None`: none."""

    written_in: str
    """File and line of the code of a plugin that decides the rest; empty for what ships."""


@dataclass(frozen=True, slots=True)
class CodeOfAgent:
    """Something of an agent that only code decides."""

    path: str
    """JSON pointer to the node, or to the agent."""

    source: str
    """File and line."""

    message: str


@dataclass(frozen=True, slots=True)
class PlainCopy:
    """An agent without the node classes of plugins."""

    has_code: bool
    """Whether the agent has any of them."""

    spec: AgentSpec | None
    """`None`: code decides something, as listed."""

    code: tuple[CodeOfAgent, ...]


@dataclass(frozen=True, slots=True)
class StoredDraft:
    """The draft of an agent as it is stored; without a `spec` there is none now."""

    revision: int
    """Grows with each change, also when the draft is discarded or saved."""

    base_id: UUID | None
    spec: dict[str, Any] | None
    changed_at: datetime
    changed_by: str
    can_undo: bool
    can_redo: bool


@dataclass(frozen=True, slots=True)
class DraftBase:
    """The version that a draft began with."""

    version_id: UUID
    number: int


@dataclass(frozen=True, slots=True)
class Draft:
    """The draft of an agent; if nobody has changed anything, its newest version."""

    agent_id: UUID
    agent_name: str
    base: DraftBase
    revision: int
    """Sent with each change; refused if somebody else has changed the draft since."""

    spec: dict[str, Any]
    """An `AgentSpec`, which may be invalid."""

    is_changed: bool
    """Whether it differs from its base."""

    problems: tuple[Problem, ...]
    graph: Graph | None
    """`None`: the spec is not that of an agent."""

    tool_rules: tuple[str, ...]
    """The sentence that each of its tool rules means; empty for one that cannot be read."""

    variables: tuple[TextVariable, ...]
    """What its prompt texts can be filled in with, the most likely first."""

    filters: tuple[TextVariable, ...]
    changed_at: datetime | None
    changed_by: str
    can_undo: bool
    can_redo: bool
