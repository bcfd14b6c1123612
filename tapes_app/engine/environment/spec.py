"""Environments as data: a registered type with its settings, or several in order.

A type is registered as a function or class that makes the environment. Its settings are its first
parameter, if that is a pydantic model; without one it has none.
"""

import inspect
from collections.abc import Callable
from typing import Annotated, Any

from pydantic import BaseModel, Field, StringConstraints, ValidationError

from tapes_app.engine.environment.environment import Environment
from tapes_app.engine.errors import AgentConfigError
from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.engine.model.messages import digest_json
from tapes_app.engine.registry import Registry
from tapes_app.engine.tape.steps import first_reason

environments: Registry[Callable[..., Environment]] = Registry("environment")
"""Types of environments, as a function or class that makes one."""

SecretName = Annotated[str, StringConstraints(pattern=r"^[A-Z][A-Z0-9_]*$", max_length=100)]
"""The name of the environment variable with a secret: agents are stored and shown, so a setting
names a secret and never contains it. `RunContext.read_secret` returns the value."""


class EnvironmentSettings(FrozenModel):
    """Base of the settings of an environment: immutable, and without undeclared fields."""


class EnvironmentSpec(FrozenModel):
    """One environment: the name of a registered type and its settings."""

    type: str
    """Registered type of environment."""

    settings: dict[str, Any] = Field(default_factory=dict)
    """Fields of the type's settings; a secret is the name of a variable, never its value."""


EnvironmentChoice = str | EnvironmentSpec | tuple[str | EnvironmentSpec, ...]
"""What answers a team: a type, by its name alone where it needs no settings, or several, of which
each is asked in turn. An empty name stands for the tools of the team's nodes and the person."""


def list_chosen(choice: EnvironmentChoice) -> tuple[str | EnvironmentSpec, ...]:
    return choice if isinstance(choice, tuple) else (choice,)


def list_chosen_types(choice: EnvironmentChoice) -> tuple[str, ...]:
    return tuple(one if isinstance(one, str) else one.type for one in list_chosen(choice))


def list_type_modules(choice: EnvironmentChoice) -> tuple[str, ...]:
    """Return where the chosen types are written; an empty text for one that is unknown here."""
    types = (name for name in list_chosen_types(choice) if name)
    return tuple(
        getattr(environments.get(name), "__module__", "") if name in environments else ""
        for name in types
    )


def describe_type(name: str) -> str:
    """Return what a registered type is for, as one line."""
    return inspect.cleandoc(environments.get(name).__doc__ or "").partition("\n")[0]


def build_registered(spec: EnvironmentSpec) -> Environment:
    """Make the environment of a spec.

    Raises:
        AgentConfigError: there is no such type, or the settings do not fit it.
    """
    make = environments.get(spec.type)
    settings_class = find_settings_class(make)
    if settings_class is None and spec.settings:
        raise AgentConfigError(
            f"Environment {spec.type!r} has no settings; leave out {sorted(spec.settings)}.",
            type=spec.type,
        )
    try:
        settings = [] if settings_class is None else [settings_class.model_validate(spec.settings)]
    except ValidationError as error:
        raise AgentConfigError(
            f"The settings of environment {spec.type!r} are invalid: {first_reason(error)}.",
            type=spec.type,
        ) from error
    environment = make(*settings)
    environment.identity = digest_json(spec.model_dump(mode="json")).hex()
    return environment


def find_settings_class(make: Callable[..., Environment]) -> type[BaseModel] | None:
    """Return the class of a type's settings; `None` if it has none."""
    first = next(iter(inspect.signature(make).parameters.values()), None)
    if first is None or first.annotation is inspect.Parameter.empty:
        return None
    if isinstance(first.annotation, str):
        first = next(iter(inspect.signature(make, eval_str=True).parameters.values()))
    found = first.annotation
    return found if inspect.isclass(found) and issubclass(found, BaseModel) else None
