"""All tables with rows of a project, found through the references between tables."""

from collections import deque
from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.apps import apps
from django.db.models import ForeignKey, Model

from tapes_app.models import ProjectRecord


def find_tables() -> list[tuple[type[Model], str]]:
    """Return each table with the path from its rows to their project, farthest first."""
    found: dict[type[Model], str] = {}
    waiting: deque[type[Model]] = deque([ProjectRecord])
    while waiting:
        reached = waiting.popleft()
        for model, name in _referring_to(reached):
            if model not in found and model is not ProjectRecord:
                path = found.get(reached, "")
                found[model] = f"{name}__{path}" if path else name
                waiting.append(model)
    return list(reversed(found.items()))


def rows_of(model: type[Model], path: str, project_id: UUID) -> Any:
    """Return the rows of a table that belong to a project, by the path that `find_tables` gave."""
    return records_of(model).filter(**{path: project_id})


def records_of(model: type[Model]) -> Any:
    """Return all rows of a table in no order, including those that lists do not show."""
    return model._base_manager.all().order_by()


def _referring_to(target: type[Model]) -> Iterator[tuple[type[Model], str]]:
    """Yield the tables whose rows always refer to a row of another one."""
    for model in apps.get_models():
        for field in model._meta.fields:
            if isinstance(field, ForeignKey) and field.related_model is target and not field.null:
                yield model, field.name
