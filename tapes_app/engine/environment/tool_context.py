"""What a tool receives that no model fills in: where the call comes from, and its dependencies.

They are parameters like any other. A parameter of type `ToolContext` gets the place of the call;
one of type `EnvironmentState` gets the environment's state, which the call may change; one
annotated `Annotated[T, Depends(make)]` gets what `make` returns, made for that call alone.
"""

import inspect
import threading
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, Any, get_args, get_origin, get_type_hints
from uuid import UUID

from tapes_app.engine.environment.state import EnvironmentState
from tapes_app.engine.environment.tool_threads import call_in_thread
from tapes_app.engine.errors import AgentConfigError
from tapes_app.engine.tape.tape import Tape


@dataclass(frozen=True, slots=True)
class RunPlace:
    """The run of the studio that makes the call."""

    run_id: UUID
    project_id: UUID


current_run: ContextVar[RunPlace | None] = ContextVar("current_run", default=None)
"""Set by the code that runs an agent; `None` outside a studio."""


@dataclass(frozen=True, slots=True)
class ToolContext:
    """Where a tool call comes from, and whether its result is still wanted."""

    tape: Tape = field(default_factory=Tape, repr=False)
    """The tape at the time of the call; a tool may read the conversation so far."""

    position: int = 0
    """Position on the tape of the step that makes the call."""

    call_id: str = ""
    run: RunPlace | None = field(default_factory=current_run.get)
    """The run and its project; `None` outside a studio, as in a test."""

    state: EnvironmentState = field(default_factory=EnvironmentState, repr=False, compare=False)
    """The environment's state: the call may change it."""

    _given_up: threading.Event = field(default_factory=threading.Event, repr=False, compare=False)

    @property
    def tape_id(self) -> str:
        return self.tape.metadata.id

    @property
    def run_id(self) -> UUID | None:
        return self.run.run_id if self.run else None

    @property
    def project_id(self) -> UUID | None:
        return self.run.project_id if self.run else None

    @property
    def is_cancelled(self) -> bool:
        """Whether nobody waits for the result any more: a plain function should then return."""
        return self._given_up.is_set()

    def wait(self, seconds: float) -> bool:
        """Sleep in a plain function while the result is still wanted; return `is_cancelled`."""
        return self._given_up.wait(seconds)

    def give_up(self) -> None:
        """Signal that nobody waits any more; called when the call is over, however it ended."""
        self._given_up.set()


@dataclass(frozen=True, slots=True)
class Depends:
    """In `Annotated[T, Depends(make)]`: what `make` returns is the argument.

    `make` is a plain or asynchronous function whose parameters are provided in the same way; an
    asynchronous generator yields the value and cleans up after its `yield`.
    """

    make: Callable[..., Any]


Provider = type[ToolContext] | type[EnvironmentState] | Depends


def find_providers(hints: Mapping[str, Any]) -> dict[str, Provider]:
    """Return the provider of each provided parameter; the model fills in all others."""
    found: dict[str, Provider] = {}
    for name, hint in hints.items():
        base, *extras = get_args(hint) if get_origin(hint) is Annotated else (hint,)
        depends = next((extra for extra in extras if isinstance(extra, Depends)), None)
        if depends is not None:
            found[name] = depends
        elif base is ToolContext or base is EnvironmentState:
            found[name] = base
    return {name: provider for name, provider in found.items() if name != "return"}


def needs_state(providers: Mapping[str, Provider]) -> bool:
    """Return whether an argument is the environment's state, or is made from it."""
    return any(
        needs_state(find_providers(_hints_of(one.make)))
        if isinstance(one, Depends)
        else one is EnvironmentState
        for one in providers.values()
    )


def check_providers(providers: Mapping[str, Provider], above: tuple[object, ...] = ()) -> None:
    """Reject providers that cannot provide a value.

    Raises:
        AgentConfigError: one depends on itself or on something not provided, or is a plain
            generator.
    """
    for provider in providers.values():
        if isinstance(provider, Depends):
            _check_maker(provider.make, above)


async def provide(
    providers: Mapping[str, Provider], context: ToolContext, stack: AsyncExitStack
) -> dict[str, Any]:
    """Return the values for one call, each made once; `stack` cleans up after it."""
    made: dict[object, Any] = {}

    async def make(maker: Callable[..., Any]) -> Any:
        if maker not in made:
            needs = await fill(find_providers(_hints_of(maker)))
            if inspect.isasyncgenfunction(maker):
                value = await stack.enter_async_context(asynccontextmanager(maker)(**needs))
            elif inspect.iscoroutinefunction(maker):
                value = await maker(**needs)
            else:
                value = await call_in_thread(partial(maker, **needs), name=_name_of(maker))
            made[maker] = value
        return made[maker]

    async def fill(wanted: Mapping[str, Provider]) -> dict[str, Any]:
        return {name: await give(provider) for name, provider in wanted.items()}

    async def give(provider: Provider) -> Any:
        if isinstance(provider, Depends):
            return await make(provider.make)
        return context.state if provider is EnvironmentState else context

    return await fill(providers)


def _check_maker(make: Callable[..., Any], above: tuple[object, ...]) -> None:
    name = _name_of(make)
    if make in above:
        raise AgentConfigError(f"{name!r} depends on itself; break the cycle.", maker=name)
    if inspect.isgeneratorfunction(make):
        raise AgentConfigError(
            f"{name!r} is a plain generator; make it asynchronous to clean up after a call.",
            maker=name,
        )
    providers = find_providers(_hints_of(make))
    for parameter in inspect.signature(make).parameters.values():
        if parameter.name not in providers and parameter.default is parameter.empty:
            raise AgentConfigError(
                f"Nothing provides {parameter.name!r} of {name!r}; annotate it as ToolContext, "
                "EnvironmentState or with Depends, or give it a default.",
                maker=name,
            )
    check_providers(providers, (*above, make))


def _hints_of(make: Callable[..., Any]) -> dict[str, Any]:
    code = vars(make).get("__init__", make) if inspect.isclass(make) else make
    try:
        return get_type_hints(code, include_extras=True)
    except TypeError:  # a callable that has no signature
        return {}


def _name_of(make: Callable[..., Any]) -> str:
    return getattr(make, "__name__", repr(make))
