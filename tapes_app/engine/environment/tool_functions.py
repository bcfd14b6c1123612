"""From a Python function to a tool: its schema, the validation of its arguments, the call."""

import inspect
from collections.abc import Callable, Iterable, Sequence
from contextlib import AsyncExitStack
from functools import cached_property, partial, update_wrapper
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Generic,
    ParamSpec,
    Protocol,
    Self,
    TypeVar,
    get_type_hints,
    overload,
)

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    PlainSerializer,
    PlainValidator,
    PydanticUserError,
    TypeAdapter,
    ValidationError,
    ValidationInfo,
    WithJsonSchema,
    create_model,
)
from pydantic.errors import PydanticInvalidForJsonSchema
from pydantic_core import PydanticUndefined, to_jsonable_python

from tapes_app.engine.environment.tool_context import (
    Provider,
    ToolContext,
    check_providers,
    find_providers,
    needs_state,
    provide,
)
from tapes_app.engine.environment.tool_threads import call_in_thread
from tapes_app.engine.errors import AgentConfigError
from tapes_app.engine.model.tool_descriptions import read_docstring, without_titles
from tapes_app.engine.registry import Registry
from tapes_app.engine.tape.media import result_parts
from tapes_app.engine.tape.steps import first_reason

if TYPE_CHECKING:
    from tapes_app.engine.environment.environment import Environment

P = ParamSpec("P")
R = TypeVar("R")
Function = TypeVar("Function", bound=Callable[..., Any])


class ToolArgumentsError(ValueError):
    """The arguments do not fit the tool; the model should see why."""


class ToolFailedError(Exception):
    """A tool failed, and the model reads all of its message and nothing else."""


class ToolSource(Protocol):
    """Where tools are from that are no functions of this process, such as a server."""

    def build_environment(self, offered: "Sequence[AnyTool]") -> "Environment":
        """Return the environment that answers calls of these tools, and no others."""


class Tool(Generic[P, R]):
    """A Python function, plain or asynchronous, that a model may call by name.

    Calling the object calls the function. `is_irreversible`: its effects cannot be undone; `None` =
    as its function is marked. `seconds`: the time limit of one call; `None` = its environment's
    limit.
    """

    __name__: str
    __qualname__: str
    __module__: str
    source: "ToolSource | None" = None
    """What must be opened before it can be called; `None` for a function."""

    def __init__(
        self,
        function: Callable[P, R],
        *,
        is_irreversible: bool | None = None,
        seconds: float | None = None,
    ) -> None:
        self.name: str = function.__name__
        if seconds is not None and not seconds > 0:
            raise AgentConfigError(
                f"Tool {self.name!r} may take {seconds:g} seconds; give it more than none.",
                tool=self.name,
            )
        self.seconds = seconds
        update_wrapper(self, function)
        self.is_irreversible = (
            bool(getattr(function, _IRREVERSIBLE, False))
            if is_irreversible is None
            else is_irreversible
        )
        self._function = function
        self._refuse_nameless_arguments()

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        return self._function(*args, **kwargs)

    def __copy__(self) -> Self:
        return self  # a value, like the function it wraps

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __repr__(self) -> str:
        return f"Tool({self.type_name!r})"

    @property
    def type_name(self) -> str:
        """The name of the tool in an agent stored as data: module and function."""
        return f"{self.__module__}.{self.__qualname__}"

    @property
    def description(self) -> str:
        return self._docstring[0]

    @property
    def can_be_stopped(self) -> bool:
        """Whether cancelling a call ends it; the thread of a plain function cannot be stopped."""
        return inspect.iscoroutinefunction(self._function)

    @property
    def uses_state(self) -> bool:
        """Whether it reads the environment's state: such calls are made one after the other."""
        return needs_state(self._providers)

    def check(self) -> None:
        """Check the signature; the rest is read when the tool is first offered or called.

        Raises:
            AgentConfigError: a type in it cannot be found, or nothing can provide an argument.
        """
        check_providers(self._providers)

    def schema(self) -> dict[str, Any]:
        """Return the tool in chat-completions form: always the same object, so do not change it."""
        return self._schema

    def result_schema(self) -> dict[str, Any] | None:
        """Return the JSON schema of what the function returns; `None` if it is not declared."""
        try:
            wanted = get_type_hints(self._function, include_extras=True).get("return", Any)
            if wanted in (Any, type(None), object):
                return None
            schema = TypeAdapter(wanted).json_schema()
        except (NameError, PydanticUserError, PydanticInvalidForJsonSchema):
            return None
        return without_titles(schema) or None

    async def call(self, arguments: dict[str, Any], context: ToolContext | None = None) -> Any:
        """Call the function and return its result as JSON data.

        Each plain function runs in its own thread, so that a slow one blocks nobody. `context` is
        marked as given up when the call is over.

        Raises:
            ToolArgumentsError: the arguments do not fit.
            Exception: whatever the function raises.
        """
        try:
            checked = self._arguments.model_validate(arguments)
        except ValidationError as error:
            raise ToolArgumentsError(first_reason(error)) from error
        given = {
            parameter.name: getattr(checked, field)
            for field, parameter in self._parameters.items()
            if field in checked.model_fields_set
        }
        context = context or ToolContext()
        try:
            async with AsyncExitStack() as stack:
                provided = await provide(self._providers, context, stack)
                result = await self._run({**given, **provided})
        finally:
            context.give_up()
        parts = result_parts(result)
        if parts is not None:
            return parts
        return to_jsonable_python(result, fallback=str, inf_nan_mode="strings")

    async def _run(self, given: dict[str, Any]) -> Any:
        function: Callable[..., Any] = self._function
        if inspect.iscoroutinefunction(function):
            return await function(**given)
        result = await call_in_thread(partial(function, **given), name=self.name)
        return await result if inspect.isawaitable(result) else result

    @cached_property
    def _schema(self) -> dict[str, Any]:
        parameters = without_titles(self._arguments.model_json_schema(by_alias=True))
        parameters.setdefault("properties", {})
        return {
            "type": "function",
            "function": {
                "name": self.name,
                "description": self.description,
                "parameters": parameters,
            },
        }

    @cached_property
    def _docstring(self) -> tuple[str, dict[str, str]]:
        return read_docstring(inspect.getdoc(self._function) or "")

    @cached_property
    def _parameters(self) -> dict[str, inspect.Parameter]:
        """The parameters by field of the arguments model; the names cannot clash with its own."""
        found = inspect.signature(self._function).parameters.values()
        asked = [parameter for parameter in found if parameter.name not in self._providers]
        return {f"argument_{number}": parameter for number, parameter in enumerate(asked)}

    @cached_property
    def _providers(self) -> dict[str, Provider]:
        """The providers of the arguments that no model sees."""
        return find_providers(self._read_hints())

    @cached_property
    def _arguments(self) -> type[BaseModel]:
        """A model of the arguments, made when it is first needed."""
        hints, about = self._read_hints(), self._docstring[1]
        fields: dict[str, Any] = {}
        for field, parameter in self._parameters.items():
            is_required = parameter.default is parameter.empty
            default = PydanticUndefined if is_required else parameter.default
            fields[field] = (
                hints.get(parameter.name, Any),
                Field(default, alias=parameter.name, description=about.get(parameter.name)),
            )
        config = ConfigDict(extra="forbid", arbitrary_types_allowed=True)
        return create_model(self.name, __config__=config, **fields)

    def _refuse_nameless_arguments(self) -> None:
        for parameter in inspect.signature(self._function).parameters.values():
            if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
                raise AgentConfigError(
                    f"Tool {self.name!r} takes '*{parameter.name}'; a model can only fill in "
                    "named arguments.",
                    tool=self.name,
                )

    def _read_hints(self) -> dict[str, Any]:
        try:
            return get_type_hints(self._function, include_extras=True)
        except NameError as error:
            raise AgentConfigError(
                f"A type in the signature of tool {self.name!r} was not found ({error}); define "
                "it at the top level of its module.",
                tool=self.name,
            ) from error


AnyTool = Tool[..., Any]
_IRREVERSIBLE = "is_irreversible"

tools: Registry[AnyTool] = Registry("tool")
"""The tools made by `@tool`, by module and function, as agents stored as data name them."""


@overload
def tool(function: Callable[P, R], /) -> Tool[P, R]: ...
@overload
def tool(
    *, irreversible: bool = ..., seconds: float | None = ...
) -> Callable[[Callable[P, R]], Tool[P, R]]: ...
def tool(
    function: Callable[..., Any] | None = None,
    /,
    *,
    irreversible: bool = False,
    seconds: float | None = None,
) -> Any:
    """Turn a function with typed arguments into a tool: `@tool`, or `@tool(irreversible=True)`.

    A model reads its name, types and docstring. It can still be called as a function. A call that
    takes longer than `seconds` is stopped, and the model reads that.

    Raises:
        AgentConfigError: it takes arguments without names, or `seconds` is not positive.
    """

    def make(function: Callable[..., Any]) -> AnyTool:
        made: AnyTool = Tool(function, is_irreversible=irreversible or None, seconds=seconds)
        return tools.replace(made.type_name, made)

    return make if function is None else make(function)


def irreversible(function: Function) -> Function:
    """Mark a function whose effects cannot be undone: a run asks before each call."""
    vars(function)[_IRREVERSIBLE] = True
    return function


FindStandIn = Callable[[str], AnyTool | None]
"""Returns what stands for a tool that is not here, by the name that specs give it."""

_FIND_STAND_IN = "find_stand_in"


def with_stand_ins(find: FindStandIn | None) -> dict[str, Any]:
    """Return the context of pydantic in which settings may name tools that are not here."""
    return {} if find is None else {_FIND_STAND_IN: find}


def read_tools(value: Any, find_stand_in: FindStandIn | None = None) -> tuple[AnyTool, ...]:
    """Return the tools that a node's settings name, or that its author passed.

    Raises:
        AgentConfigError: one is neither a tool nor the name of one.
    """
    if isinstance(value, str | Tool) or not isinstance(value, Iterable):
        value = (value,)
    return tuple(dict.fromkeys(_read_tool(item, find_stand_in) for item in value))


def _read_setting(value: Any, info: ValidationInfo) -> tuple[AnyTool, ...]:
    return read_tools(value, (info.context or {}).get(_FIND_STAND_IN))


def _read_tool(value: Any, find: FindStandIn | None) -> AnyTool:
    if isinstance(value, Tool):
        return value
    if isinstance(value, str):
        stand_in = None if find is None or value in tools else find(value)
        return tools.get(value) if stand_in is None else stand_in
    name = getattr(value, "__name__", repr(value))
    raise AgentConfigError(f"{name!r} is not a tool; decorate its function with @tool.", tool=name)


Tools = Annotated[
    Sequence[AnyTool],
    PlainValidator(_read_setting),
    PlainSerializer(lambda made: [tool.type_name for tool in made], return_type=list[str]),
    WithJsonSchema({"type": "array", "items": {"type": "string"}}),
]
"""The field of a node for its tools: the tools themselves in Python, their names in JSON."""
