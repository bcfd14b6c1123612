"""The types of environments that a spec can name, with what a form needs to know of each."""

from typing import Any

from pydantic.errors import PydanticUserError

from tapes_app.authoring.domain.rows import EnvironmentType
from tapes_app.engine.environment.spec import describe_type, environments, find_settings_class


def list_environment_types() -> list[EnvironmentType]:
    """Return the registered types by name."""
    return [_describe(name) for name in environments]


def _describe(name: str) -> EnvironmentType:
    return EnvironmentType(
        name=name,
        description=describe_type(name),
        settings_schema=_schema_of(environments.get(name)),
    )


def _schema_of(make: Any) -> dict[str, Any] | None:
    settings = find_settings_class(make)
    try:
        return None if settings is None else settings.model_json_schema()
    except PydanticUserError:  # a plugin's field of a type that is not in JSON
        return {"type": "object"}
