"""The docstrings below fields of services' dataclasses, as descriptions in the OpenAPI schema.

Pydantic can read them when it builds a model, from the source of every class in every answer, but
that takes each process seconds at start. So they are read here, when the schema is requested.
"""

import inspect
from collections.abc import Iterable, Iterator
from dataclasses import is_dataclass
from functools import cache
from pathlib import Path
from typing import Any, get_args, get_type_hints

from pydantic import BaseModel


def describe_dataclasses(schemas: dict[str, Any], answers: Iterable[type[BaseModel]]) -> None:
    """Add the docstrings of fields to the schemas of all dataclasses that answers contain."""
    known: set[Any] = set()
    for answer in answers:
        for kind in _walk(answer, known):
            properties = schemas.get(kind.__name__, {}).get("properties", {})
            for name, found in _read_docstrings(kind).items():
                if name in properties:
                    properties[name].setdefault("description", found)


def _walk(kind: Any, known: set[Any]) -> Iterator[type]:
    """Yield the dataclasses that a type contains, each once."""
    for part in get_args(kind):
        yield from _walk(part, known)
    if not inspect.isclass(kind) or kind in known:
        return
    known.add(kind)
    if is_dataclass(kind):
        yield kind
        for hint in get_type_hints(kind).values():
            yield from _walk(hint, known)
    elif issubclass(kind, BaseModel):
        for field in kind.model_fields.values():
            yield from _walk(field.annotation, known)


def _read_docstrings(kind: type) -> dict[str, str]:
    found: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        if is_dataclass(base):
            found |= _read_module(base.__module__, inspect.getfile(base))[base.__name__]
    return found


@cache
def _read_module(name: str, path: str) -> dict[str, dict[str, str]]:
    """Return the docstrings below the fields of each class in a module."""
    from griffe import visit  # slow to import, and the API is imported at every start

    module = visit(name, Path(path), Path(path).read_text("utf-8"))
    return {
        kind: {
            field: member.docstring.value
            for field, member in found.members.items()
            if member.docstring is not None
        }
        for kind, found in module.classes.items()
    }
