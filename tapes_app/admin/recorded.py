"""A table that is only read in the admin: what was recorded is never changed there."""

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
    """Counts no further than a limit: the tables of recorded data grow without one."""

    @cached_property
    def count(self) -> int:
        if isinstance(self.object_list, QuerySet):
            # Any column asks for each row, where an index alone could count them.
            rows = self.object_list.order_by().annotate(one=Value(1)).values("one")
            return int(rows[:_COUNT_LIMIT].aggregate(count=Count("one"))["count"])
        return len(self.object_list)


@dataclass(frozen=True, slots=True)
class Related:
    """A link from a row to the rows of another table that name it."""

    title: str
    model: type[Model]
    field: str
    """By which those name it; empty where the search of their list finds them."""


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

    orders_within: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """The order of a list that a link or a search narrows, where an index has another one there."""

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
        for name, order in self.orders_within.items():
            if _lookup_by(self.model, name) in request.GET:
                return list(order)
        is_timed = any(field.name == "created_at" for field in self.opts.fields)
        is_quick = not self.grows or "created_at" in list_indexed(self.opts)
        newest = ["-created_at", "-id"] if is_timed and is_quick else ["-pk"]
        return self.ordering or self.opts.ordering or newest

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Take what `related` of another page links to: rows by what they refer to."""
        name = lookup.partition("__")[0]
        is_link = any(field.name == name and field.is_relation for field in self.opts.fields)
        is_link = is_link and lookup == _lookup_by(self.model, name)
        return is_link or super().lookup_allowed(lookup, value, request)

    def get_sortable_by(self, request: HttpRequest) -> Any:
        return () if self.grows else super().get_sortable_by(request)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Look ids up as what they are: compared as text, no index serves."""
        if not self.grows or not search_term:
            return super().get_search_results(request, queryset, search_term)
        asked: dict[str, Q] = {}
        for name in (field.removeprefix("=") for field in self.search_fields):
            with suppress(ValidationError):
                value = _field_at(self.model, name).to_python(search_term.strip())
                asked[name] = Q(**{name: value})
        # What is nowhere there is left out: an index sorts what one column narrows, not two.
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
        """Read what rows refer to after them: joined, SQLite goes through all rows to sort them."""
        named = {field.name for field in self.opts.fields if field.is_relation}
        beside = {*self.list_beside, *(named & {*map(str, self.list_display)})}
        return super().get_queryset(request).prefetch_related(*sorted(beside))

    def get_list_select_related(self, request: HttpRequest) -> tuple[str, ...]:
        return ()

    def get_list_display(self, request: HttpRequest) -> list[Any]:
        """Show what a row refers to as a link to it, and numbers as people read them."""
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


def _can_link(page: RecordedAdmin, field: Any) -> bool:
    return bool(field.is_relation) and field.related_model in page.admin_site._registry


def _lookup_by(model: type[Model], name: str) -> str:
    """Return the parameter that narrows a list to the rows that refer to one record.

    The key is named: `llm_call__exact` would be the field `exact` of a call.
    """
    key = model._meta.get_field(name).related_model._meta.pk.name  # type: ignore[union-attr]
    return f"{name}__{key}__exact"


def list_address(model: type[Model], field: str, key: object) -> str:
    """Return the address of the rows that name a record; without a field, their search has it."""
    listing = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
    return f"{listing}?{urlencode({_lookup_by(model, field) if field else 'q': str(key)})}"
