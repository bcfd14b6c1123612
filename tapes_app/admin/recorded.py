"""A table that is only read in the admin: what was recorded is never changed there."""

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, ClassVar
from urllib.parse import urlencode

from django.contrib import admin
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.db.models import Model, Q, QuerySet, UniqueConstraint
from django.db.models.options import Options
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join

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


@dataclass(frozen=True, slots=True)
class Related:
    """A link from a row to the rows of another table that name it."""

    title: str
    model: type[Model]
    field: str
    """By which those name it."""


class RecordedAdmin(admin.ModelAdmin[Any]):
    """A table that is read here and changed nowhere: no adding, changing or deleting.

    What other tables say of a row is one click away: `related` lists them.
    """

    paginator = CappedPaginator
    show_full_result_count = False
    list_per_page = 50
    list_beside: ClassVar[tuple[str, ...]] = ()
    """Rows that a list needs beside those that are columns of it."""

    grows: ClassVar[bool] = False
    """It has millions of rows one day: its list has one order, and a search takes whole ids."""

    related: ClassVar[tuple[Related, ...]] = ()
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
        is_quick = not self.grows or "created_at" in list_indexed(self.opts)
        newest = ["-created_at", "-id"] if is_timed and is_quick else ["-pk"]
        return self.ordering or self.opts.ordering or newest

    def get_sortable_by(self, request: HttpRequest) -> Any:
        return () if self.grows else super().get_sortable_by(request)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Look ids up as what they are: compared as text, no index serves."""
        if not self.grows or not search_term:
            return super().get_search_results(request, queryset, search_term)
        found = Q(pk__in=())
        for name in (field.removeprefix("=") for field in self.search_fields):
            with suppress(ValidationError):
                found |= Q(**{name: _field_at(self.model, name).to_python(search_term.strip())})
        return queryset.filter(found), False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Read what rows refer to after them: joined, SQLite goes through all rows to sort them."""
        named = {field.name for field in self.opts.fields if field.is_relation}
        beside = {*self.list_beside, *(named & {*map(str, self.list_display)})}
        return super().get_queryset(request).prefetch_related(*sorted(beside))

    def get_list_select_related(self, request: HttpRequest) -> tuple[str, ...]:
        return ()

    def get_list_display(self, request: HttpRequest) -> list[Any]:
        """Show what a row refers to as a link to it."""
        fields = {field.name: field for field in self.opts.fields}
        first, *others = super().get_list_display(request)
        return [
            first,
            *(
                _link_column(name)
                if isinstance(name, str) and name in fields and _can_link(self, fields[name])
                else name
                for name in others
            ),
        ]

    @admin.display(description="see also")
    def see_also(self, record: Model) -> str:
        """Return links to the rows of other tables that name this one."""
        links = (
            (_list_address(one.model, one.field, record.pk), one.title) for one in self.related
        )
        return format_html_join(", ", '<a href="{}">{}</a>', links)

    def get_fields(self, request: HttpRequest, obj: Model | None = None) -> list[Any]:
        shown = [field for field in self.opts.fields if field.name not in self.hidden_fields]
        columns = [
            _json_column(field.name) if isinstance(field, JsonTextField) else field.name
            for field in shown
        ]
        return ["see_also", *columns] if self.related else columns

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> list[Any]:
        return self.get_fields(request, obj)


def _field_at(model: type[Model], path: str) -> Any:
    """Return the field that a path of names such as `tape__id` ends with."""
    *links, last = path.split("__")
    for link in links:
        model = model._meta.get_field(link).related_model  # type: ignore[assignment]
    return model._meta.get_field(last)


@cache
def list_indexed(table: Options[Any]) -> frozenset[str]:
    """Return the columns of a table by which an index can sort all of it, links left out."""
    heads = {
        *(tuple(index.fields)[:1] for index in table.indexes if index.condition is None),
        *(
            one.fields[:1]
            for one in table.constraints
            if isinstance(one, UniqueConstraint) and one.condition is None
        ),
    }
    named = {name.removeprefix("-") for head in heads for name in head}
    return frozenset(
        field.name
        for field in table.fields
        if not field.is_relation
        and (
            field.primary_key
            or field.unique
            or getattr(field, "db_index", False)
            or field.name in named
        )
    )


@cache
def _json_column(name: str) -> Callable[[Model], str]:
    """Return a column that shows JSON as text in ASCII: tapes hold what HTML cannot."""

    @admin.display(description=name)
    def show(record: Model) -> str:
        return preview(getattr(record, name), _SHOWN_LENGTH)

    return show


def _can_link(page: RecordedAdmin, field: Any) -> bool:
    return bool(field.is_relation) and field.related_model in page.admin_site._registry


@cache
def _link_column(name: str) -> Callable[[Model], str]:
    """Return a column that leads to what a row refers to."""

    @admin.display(description=name.replace("_", " "), ordering=name)
    def show(record: Model) -> str:
        return link_to(getattr(record, name))

    return show


def link_to(record: Model | None) -> str:
    """Return a link to the page of a row."""
    if record is None:
        return "-"
    address = f"admin:{record._meta.app_label}_{record._meta.model_name}_change"
    return format_html(
        '<a href="{}" title="{}">{}</a>', reverse(address, args=[record.pk]), record, record
    )


def _list_address(model: type[Model], field: str, key: object) -> str:
    listing = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
    return f"{listing}?{urlencode({f'{field}__exact': str(key)})}"


def preview(value: Any, length: int = _PREVIEW_LENGTH) -> str:
    """Return the beginning of a value as JSON in ASCII."""
    text = json.dumps(value, ensure_ascii=True)
    return text if len(text) <= length else f"{text[:length]}…"
