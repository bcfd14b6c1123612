"""A table that is only read in the admin: what was recorded is never changed there."""

import json
from collections.abc import Callable
from functools import cache, cached_property
from typing import Any, ClassVar

from django.contrib import admin
from django.core.paginator import Paginator
from django.db.models import Model, QuerySet
from django.http import HttpRequest

from tapes_app.models.json_text import JsonTextField

_COUNT_LIMIT = 10_000
_PREVIEW_LENGTH = 200
_SHOWN_LENGTH = 100_000


class CappedPaginator(Paginator[Any]):
    """Counts no further than a limit: the tables of recorded data grow without one."""

    @cached_property
    def count(self) -> int:
        if isinstance(self.object_list, QuerySet):
            return int(self.object_list.order_by().values("pk")[:_COUNT_LIMIT].count())
        return len(self.object_list)


class RecordedAdmin(admin.ModelAdmin[Any]):
    """A table that is read here and changed nowhere: no adding, changing or deleting."""

    paginator = CappedPaginator
    show_full_result_count = False
    list_per_page = 50
    list_select_related: ClassVar[Any] = ()
    """Rows that a page needs beside those that are columns of its list."""

    actions: Any = []
    hidden_fields: ClassVar[tuple[str, ...]] = ()
    """Fields that no page shows: secrets, and links that no page can follow."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def get_ordering(self, request: HttpRequest) -> Any:
        """Without an order of their own or of the table, the newest come first."""
        is_timed = any(field.name == "created_at" for field in self.opts.fields)
        newest = ["-created_at", "-id"] if is_timed else ["-pk"]
        return self.ordering or self.opts.ordering or newest

    def get_list_select_related(self, request: HttpRequest) -> list[str]:
        related = {field.name for field in self.opts.fields if field.is_relation}
        return [*(self.list_select_related or ()), *(related & {*self.list_display})]

    def get_fields(self, request: HttpRequest, obj: Model | None = None) -> list[Any]:
        shown = [field for field in self.opts.fields if field.name not in self.hidden_fields]
        return [
            _json_column(field.name) if isinstance(field, JsonTextField) else field.name
            for field in shown
        ]

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> list[Any]:
        return self.get_fields(request, obj)


@cache
def _json_column(name: str) -> Callable[[Model], str]:
    """Return a column that shows JSON as text in ASCII: tapes hold what HTML cannot."""

    @admin.display(description=name)
    def show(record: Model) -> str:
        return preview(getattr(record, name), _SHOWN_LENGTH)

    return show


def preview(value: Any, length: int = _PREVIEW_LENGTH) -> str:
    """Return the beginning of a value as JSON in ASCII."""
    text = json.dumps(value, ensure_ascii=True)
    return text if len(text) <= length else f"{text[:length]}…"
