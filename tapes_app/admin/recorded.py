"""A table that is read-only in the admin: recorded data is never changed there."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, cached_property, reduce
from operator import or_
from typing import Any, ClassVar
from urllib.parse import urlencode

from django.contrib import admin
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.db.models import Count, Model, Q, QuerySet, UniqueConstraint, Value
from django.db.models.options import Options
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html_join

from tapes_app.admin.columns import json_column, link_column, readable_column
from tapes_app.models.json_text import JsonTextField

_COUNT_LIMIT = 10_000


class CappedPaginator(Paginator[Any]):
    """Counts only up to a limit, because the tables of recorded data grow without one."""

    @cached_property
    def count(self) -> int:
        if isinstance(self.object_list, QuerySet):
            # Selecting any column reads each row, where an index alone could count them.
            rows = self.object_list.order_by().annotate(one=Value(1)).values("one")
            return int(rows[:_COUNT_LIMIT].aggregate(count=Count("one"))["count"])
        return len(self.object_list)


@dataclass(frozen=True, slots=True)
class Related:
    """A link from a row to the rows of another table that refer to it."""

    title: str
    model: type[Model]
    field: str
    """The referring field; empty if those rows are found by the search of their list."""


class DeleteOnlyAdmin(admin.ModelAdmin[Any]):
    """A table of what is made elsewhere: an operator sees the rows and may only delete them."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class RecordedAdmin(DeleteOnlyAdmin):
    """A read-only table: no adding, changing or deleting.

    Rows of other tables that refer to a row are one click away: `related` lists them.
    """

    paginator = CappedPaginator
    show_full_result_count = False
    list_per_page = 50
    prefetch_in_list: ClassVar[tuple[str, ...]] = ()
    """Related rows that a list prefetches, besides those shown as columns."""

    grows: ClassVar[bool] = False
    """Whether it may grow to millions of rows: its list then has one order and needs full ids."""

    orders_within: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """The order of a list narrowed by a link or a search, if another index provides one there."""

    related: ClassVar[tuple[Related, ...]] = ()
    actions: Any = []
    hidden_fields: ClassVar[tuple[str, ...]] = ()
    """Fields that no page shows: secrets, and links that no page can follow."""

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def get_ordering(self, request: HttpRequest) -> Any:
        """Return the admin's or the table's own order, or else newest first."""
        for name, order in self.orders_within.items():
            if _lookup_by(self.model, name) in request.GET:
                return list(order)
        is_timed = any(field.name == "created_at" for field in self.opts.fields)
        is_quick = not self.grows or "created_at" in list_indexed(self.opts)
        newest = ["-created_at", "-id"] if is_timed and is_quick else ["-pk"]
        return self.ordering or self.opts.ordering or newest

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Allow the filters that `related` of another page links to: rows by what they refer to."""
        name = lookup.partition("__")[0]
        is_link = any(field.name == name and field.is_relation for field in self.opts.fields)
        is_link = is_link and lookup == _lookup_by(self.model, name)
        return is_link or super().lookup_allowed(lookup, value, request)

    def get_sortable_by(self, request: HttpRequest) -> Any:
        return () if self.grows else super().get_sortable_by(request)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Search ids as typed values: compared as text, they could not use an index."""
        if not self.grows or not search_term:
            return super().get_search_results(request, queryset, search_term)
        asked: dict[str, Q] = {}
        for name in (field.removeprefix("=") for field in self.search_fields):
            with suppress(ValidationError):
                value = _field_at(self.model, name).to_python(search_term.strip())
                asked[name] = Q(**{name: value})
        # Fields without a match are left out: an index can sort rows narrowed by one column, not
        # two.
        known = {
            name: one for name, one in asked.items() if queryset.order_by().filter(one).exists()
        }
        if not known:
            return queryset.none(), False
        rows = queryset.filter(reduce(or_, known.values()))
        (first, *others) = known
        link, _, key = first.partition("__")
        if not others and key == "id" and link in self.orders_within:
            rows = rows.order_by(*self.orders_within[link])
        return rows, False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Prefetch what rows refer to: with a join, SQLite would read all rows to sort them."""
        named = {field.name for field in self.opts.fields if field.is_relation}
        prefetched = {*self.prefetch_in_list, *(named & {*map(str, self.list_display)})}
        return super().get_queryset(request).prefetch_related(*sorted(prefetched))

    def get_list_select_related(self, request: HttpRequest) -> tuple[str, ...]:
        return ()

    def get_list_display(self, request: HttpRequest) -> list[Any]:
        """Show what a row refers to as a link, and numbers in readable form."""
        fields = {field.name: field for field in self.opts.fields}
        first, *others = super().get_list_display(request)
        return [
            readable_column(fields[first]) if first in fields else first,
            *(
                name
                if not isinstance(name, str) or name not in fields
                else link_column(name)
                if _can_link(self, fields[name])
                else readable_column(fields[name])
                for name in others
            ),
        ]

    @admin.display(description="see also")
    def see_also(self, record: Model) -> str:
        """Return links to the rows of other tables that name this one."""
        links = ((list_address(one.model, one.field, record.pk), one.title) for one in self.related)
        return format_html_join(", ", '<a href="{}">{}</a>', links)

    def get_fields(self, request: HttpRequest, obj: Model | None = None) -> list[Any]:
        shown = [field for field in self.opts.fields if field.name not in self.hidden_fields]
        columns = [self._record_column(field) for field in shown]
        return ["see_also", *columns] if self.related else columns

    def _record_column(self, field: Any) -> Any:
        if isinstance(field, JsonTextField):
            return json_column(field.name)
        if _can_link(self, field):
            return link_column(field.name)
        return readable_column(field, is_short=False)

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
    """Return the columns that an index can sort the whole table by, without links."""
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


def _can_link(page: RecordedAdmin, field: Any) -> bool:
    return bool(field.is_relation) and field.related_model in page.admin_site._registry


def _lookup_by(model: type[Model], name: str) -> str:
    """Return the URL parameter that narrows a list to the rows that refer to one record.

    The key is part of the name: `llm_call__exact` would mean the field `exact` of a call.
    """
    key = model._meta.get_field(name).related_model._meta.pk.name  # type: ignore[union-attr]
    return f"{name}__{key}__exact"


def list_address(model: type[Model], field: str, key: object) -> str:
    """Return the URL of the rows that refer to a record; without a field, through their search."""
    listing = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
    return f"{listing}?{urlencode({_lookup_by(model, field) if field else 'q': str(key)})}"
