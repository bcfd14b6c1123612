"""Steps: the typed entries of a tape, their families, their registry, and unknown kinds.

`kind` is the step's name in JSON. Kinds are not unique in real tapes, so the registry keeps several
classes per kind, and the first whose fields fit wins.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal, Self, get_args, get_origin

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PrivateAttr,
    SerializeAsAny,
    ValidationError,
)

from tapes_app.engine.errors import StepError
from tapes_app.engine.json_pointer import write_pointer
from tapes_app.engine.model.reasoning import REASONING, SIGNED, Reasoning, SignedBlocks
from tapes_app.engine.plain_json import dump_json_data
from tapes_app.engine.tape.families import (
    MESSAGE_KINDS,
    STOP_KINDS,
    AssignedFamily,
    Family,
    guess_family,
    read_declared_family,
)

Writer = Literal["agent", "environment", "person", "import"]


class StepMetadata(BaseModel):
    """Who wrote a step: agent path, node, and the prompt of that node run (paper 2.5).

    Keys that this class does not know are kept.
    """

    model_config = ConfigDict(frozen=True, extra="allow", use_attribute_docstrings=True)

    id: str = ""
    """Unique within its tape only; real tapes repeat it."""

    agent: str = ""
    """Path of the agent from the root, joined by "/"; empty for observations."""

    node: str = ""
    """Name of the node whose run wrote the step."""

    lane: str = ""
    """Which of the agents called together wrote or gets the step: the number of its call, below
    that of its caller's own lane, joined by "/"; empty outside of such calls."""

    prompt_id: str = ""
    """One id per node run: all steps of a run share it, with or without an LLM call."""

    llm: str = ""
    """Name of the agent's LLM, when it has several."""

    other: dict[str, Any] = Field(default_factory=dict)
    """Anything else that the writer recorded."""


class Step(BaseModel):
    """One entry of a tape. Subclasses give `kind` as a `Literal` with a default."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", use_attribute_docstrings=True, ser_json_inf_nan="constants"
    )

    family: ClassVar[Family] = "thought"
    set_fields: ClassVar[frozenset[str]] = frozenset()
    """Fields declared as sets: the order of their items does not matter."""

    opaque_fields: ClassVar[frozenset[str]] = SIGNED
    """Fields that nobody can read, such as signatures: steps are equal without them."""

    hidden_fields: ClassVar[frozenset[str]] = frozenset({"metadata"})
    """Fields that no model writes into a step or reads from it."""

    kind: str
    metadata: StepMetadata = Field(default_factory=StepMetadata)

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        super().__pydantic_init_subclass__(**kwargs)
        cls.set_fields = frozenset(
            name for name, field in cls.model_fields.items() if _is_set(field.annotation)
        )
        kind = cls.model_fields["kind"].default
        if isinstance(kind, str):
            _STEP_CLASSES.setdefault(kind, []).append(cls)

    def llm_dict(self) -> dict[str, Any]:
        """Return the step as a model sees it: kind and data, without metadata and nulls."""
        return dump_json_data(self, exclude=set(self.hidden_fields), exclude_none=True)

    def llm_view(self) -> str:
        """Return `llm_dict` as JSON text, indented by 2, not ASCII-escaped."""
        return json.dumps(self.llm_dict(), indent=2, ensure_ascii=False)

    def with_metadata(self, **values: Any) -> Self:
        """Return this step with some metadata set."""
        return self.model_copy(update={"metadata": self.metadata.model_copy(update=values)})

    def content_equals(self, other: "Step") -> bool:
        """Return whether two steps are the same apart from metadata."""
        return self.content_dict() == other.content_dict()

    def content_dict(self) -> dict[str, Any]:
        """Return the readable fields except the metadata, as JSON data; sets as ordered lists."""
        content = dump_json_data(self, exclude={"metadata", *self.opaque_fields})
        for name in self.set_fields:
            if isinstance(content.get(name), list):
                content[name] = sorted(content[name], key=json.dumps)
        return content

    def to_json(self) -> dict[str, Any]:
        """Return the step as it is stored: its kind and the fields that were set.

        Defaults are left out, so a file that never held them is written back unchanged.
        """
        return {"kind": self.kind, **dump_json_data(self, exclude_unset=True)}


def _is_set(annotation: Any) -> bool:
    if (get_origin(annotation) or annotation) in (set, frozenset):
        return True
    return any(_is_set(part) for part in get_args(annotation) if part is not annotation)


_STEP_CLASSES: dict[str, list[type[Step]]] = {}


class AgentStep(Step):
    """What an agent writes, with what its model thought before."""

    hidden_fields: ClassVar[frozenset[str]] = frozenset({"metadata", *REASONING})

    reasoning_content: Reasoning = None
    thinking_blocks: SignedBlocks = None
    reasoning_details: SignedBlocks = None


class Thought(AgentStep):
    """Inner reasoning of an agent."""

    family: ClassVar[Family] = "thought"


class Action(AgentStep):
    """Asks for something outside the agent, or affects it."""

    family: ClassVar[Family] = "action"


class Observation(Step):
    """What the environment or a person answered."""

    family: ClassVar[Family] = "observation"


class ControlThought(Thought):
    """A thought that steers the agent: delegation, node choice."""

    family: ClassVar[Family] = "control"


class StopAction(Action):
    """An action after which the session is over; every stop step derives from it."""


class PartialStep(BaseModel):
    """A step still being written: streamed to the application, never put on the tape."""

    model_config = ConfigDict(frozen=True)

    text: str = ""
    """The next piece of the text."""

    tool_name: str = ""
    """Set when the piece belongs to the arguments of a tool call."""


class UnknownStep(Step):
    """A step of a kind that no class here knows. Every field is kept; `family` is inferred."""

    model_config = ConfigDict(frozen=True, extra="allow")

    kind: str

    def llm_dict(self) -> dict[str, Any]:
        # All fields of an observation, reasoning included, are what was observed.
        left_out = () if self.guessed_family == "observation" else REASONING
        return {name: value for name, value in super().llm_dict().items() if name not in left_out}

    @property
    def declared_family(self) -> AssignedFamily | None:
        """The family of its kind, if its agent defined the kind."""
        return read_declared_family(self.metadata.other)

    @property
    def guessed_family(self) -> Family:
        declared = self.declared_family
        if declared is not None:
            return "action" if declared == "stop" else declared
        return guess_family(self.kind, agent=self.metadata.agent, other=self.metadata.other)

    @property
    def is_stop(self) -> bool:
        if self.declared_family is not None:
            return self.declared_family == "stop"
        return self.kind.lower() in STOP_KINDS

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        """Keep subclasses out of the registry: an unknown kind belongs to no class."""


class ReclassifiedStep(UnknownStep):
    """A step of an unknown kind whose family a person set; it is written like any other."""

    _assigned_family: AssignedFamily = PrivateAttr(default="thought")

    @classmethod
    def build(cls, step: UnknownStep, family: AssignedFamily) -> Self:
        made = cls.model_validate(step.to_json())
        made._assigned_family = family
        return made

    @property
    def guessed_family(self) -> Family:
        return "action" if self._assigned_family == "stop" else self._assigned_family

    @property
    def is_stop(self) -> bool:
        return self._assigned_family == "stop"


def family_of(step: Step) -> Family:
    """Return the family of any step, including steps of unknown kinds."""
    return step.guessed_family if isinstance(step, UnknownStep) else step.family


def ends_tape(step: Step) -> bool:
    """Return whether the session is over after a step, including steps of unknown kinds."""
    return isinstance(step, StopAction) or (isinstance(step, UnknownStep) and step.is_stop)


def families_of(steps: Sequence[Step]) -> list[Family]:
    """Return the families of consecutive steps.

    An agent's step whose unknown kind reveals nothing is an action if the next step is an
    observation that did not come from a person.
    """
    families = [family_of(step) for step in steps]
    for position, step in enumerate(steps[:-1]):
        if families[position] != "thought" or not isinstance(step, UnknownStep):
            continue
        if isinstance(step, ReclassifiedStep) or step.declared_family is not None:
            continue
        may_be_action = not step.kind.lower().endswith("thought")
        is_message = steps[position + 1].kind in MESSAGE_KINDS
        if may_be_action and families[position + 1] == "observation" and not is_message:
            families[position] = "action"
    return families


def assign_families(steps: Sequence[Step], families: Mapping[str, AssignedFamily]) -> list[Step]:
    """Return the steps with assigned families for their kinds; registered kinds stay unchanged."""
    return [
        ReclassifiedStep.build(step, families[step.kind])
        if isinstance(step, UnknownStep) and step.kind in families
        else step
        for step in steps
    ]


def list_step_classes(kind: str) -> tuple[type[Step], ...]:
    """Return the classes registered for a kind, in registration order."""
    return tuple(_STEP_CLASSES.get(kind, ()))


def list_step_kinds() -> list[str]:
    """Return the name of every registered kind, sorted."""
    return sorted(_STEP_CLASSES)


def parse_step(value: Any, *, known: tuple[type[Step], ...] = ()) -> Step:
    """Turn JSON data into a step: `known` classes first, then the registry, else unknown.

    Raises:
        StepError: the value is not an object, or has no kind.
    """
    if isinstance(value, Step):
        return value
    if not isinstance(value, dict):
        raise StepError(f"A step must be a JSON object, not {type(value).__name__}.")
    kind = value.get("kind")
    if not isinstance(kind, str) or not kind:
        raise StepError("A step needs a text field 'kind'.")
    own = tuple(cls for cls in known if cls.model_fields["kind"].default == kind)
    for cls in (*own, *list_step_classes(kind)):
        try:
            return cls.model_validate(value)
        except ValidationError:
            continue
    try:
        return UnknownStep.model_validate(value)
    except ValidationError as error:
        raise StepError(f"A step of kind {kind!r} is invalid: {first_reason(error)}.") from error


def first_reason(error: ValidationError) -> str:
    """Return the first complaint of a validation error as `field: reason`."""
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    return f"{where}: {first['msg']}" if where else str(first["msg"])


def first_place(error: ValidationError) -> str:
    """Return the JSON pointer to the first complaint of a validation error."""
    return write_pointer(
        error.errors(include_url=False, include_input=False, include_context=False)[0]["loc"]
    )


def nearest_misfit(
    kind: str, body: Any, known: tuple[type[Step], ...] = ()
) -> ValidationError | None:
    """Return the validation error of the class that a step fits best; `None` if it fits one.

    Also `None` if no class knows the kind, of those here or `known`. Several classes may share a
    kind.
    """
    found: list[ValidationError] = []
    for cls in (*known, *list_step_classes(kind)):
        try:
            cls.model_validate(body)
        except ValidationError as error:
            found.append(error)
        else:
            return None
    return min(found, key=lambda error: error.error_count(), default=None)


AnyStep = Annotated[SerializeAsAny[Step], BeforeValidator(parse_step)]
