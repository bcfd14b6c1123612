"""The page of all settings, written from the fields that they are read into."""

from collections.abc import Sequence
from pathlib import Path

from pydantic.fields import FieldInfo

from studio.env import PROJECT_DIR, StudioEnvironment, variable_names
from studio.reference.tables import write_table

_BEGINNING = (
    "# Settings\n\nWritten by `make generate` from the settings themselves. Set them in the shell "
    "or in a file `.env` in the folder of the clone, for which `.env.example` is a template; the "
    "shell's win. An empty variable counts as unset. A misspelt `STUDIO_*` "
    "name, or a value that cannot be used, stops the start with a sentence."
)


def write_variables() -> str:
    """Return the page as Markdown."""
    names = {field: name for name, field in variable_names().items()}
    fields = StudioEnvironment.model_fields.items()
    rows = (_describe(names[name], field) for name, field in fields)
    return "\n".join([_BEGINNING, *write_table(("variable", "default", "meaning"), rows), ""])


def _describe(name: str, field: FieldInfo) -> Sequence[str]:
    default = _write_default(field.default)
    return f"`{name}`", f"`{default}`" if default else "", field.description or ""


def _write_default(value: object) -> str:
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, tuple):
        return ",".join(value)
    if isinstance(value, Path):
        return str(value.relative_to(PROJECT_DIR))
    return "" if value is None else str(value)
