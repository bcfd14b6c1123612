"""The lists of the desk: their columns, what they can be filtered and sorted by."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from tapes_app.gallery.web_tasks.page import Field, Inline, Link
from tapes_app.gallery.web_tasks.records import (
    ASSET_STATES,
    CATEGORIES,
    DEPARTMENTS,
    INCIDENT_STATES,
    NOBODY,
    PRIORITIES,
    DeskState,
)

ANY = "Any"
ORDERS = ("Ascending", "Descending")
_TEXT = "text"


class Filter(NamedTuple):
    """A field of the records that a list can be filtered by, with the values that it has."""

    label: str
    name: str
    list_values: Callable[[DeskState], Iterable[str]]


class Chosen(NamedTuple):
    """What of a list is shown: values by the names of its filters, and the order."""

    values: Mapping[str, str]
    sort_by: str
    order: str
    filters: tuple[str, ...]
    """The filters as they are said on the page."""

    @property
    def sort(self) -> str:
        return f"{self.sort_by}, {self.order.casefold()}"


@dataclass(frozen=True, slots=True)
class ListPage:
    """A list of records. The name of each field is by its column."""

    name: str
    title: str
    fields: Mapping[str, str]
    filters: tuple[Filter, ...]
    list_records: Callable[[DeskState], Iterable[Any]]
    links_first: bool = False
    """Whether the first column leads to the record."""

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(self.fields)

    def read(self, state: DeskState, query: Mapping[str, str]) -> Chosen:
        """Return what is asked for; what the list does not have is left out."""
        known = {one.name: tuple(one.list_values(state)) for one in self.filters}
        values = {name: query[name] for name in known if query.get(name) in known[name]}
        if text := query.get(_TEXT, "").strip():
            values[_TEXT] = text
        labels = {_TEXT: "Text", **{one.name: one.label for one in self.filters}}
        sort_by, order = query.get("sort", ""), query.get("order", "")
        return Chosen(
            values,
            sort_by if sort_by in self.fields else self.columns[0],
            order if order in ORDERS else ORDERS[0],
            tuple(f"{labels[name]}: {value}" for name, value in values.items()),
        )

    def list_fields(self, state: DeskState, chosen: Chosen) -> tuple[Field, ...]:
        """Return the fields of the form above the list."""
        return (
            *(
                Field(one.label, one.name, chosen.values.get(one.name, ANY),
                      (ANY, *one.list_values(state)))
                for one in self.filters
            ),
            Field("Text", _TEXT, chosen.values.get(_TEXT, "")),
            Field("Sort by", "sort", chosen.sort_by, self.columns),
            Field("Order", "order", chosen.order, ORDERS),
        )  # fmt: skip

    def list_rows(self, state: DeskState, chosen: Chosen) -> tuple[tuple[Inline, ...], ...]:
        fitting = [one for one in self.list_records(state) if self._fits(one, chosen.values)]
        name = self.fields[chosen.sort_by]
        fitting.sort(key=lambda one: _rank(name, one), reverse=chosen.order == ORDERS[1])
        return tuple(tuple(self._write_row(one)) for one in fitting)

    def _fits(self, record: Any, values: Mapping[str, str]) -> bool:
        text = values.get(_TEXT, "").casefold()
        cells = [str(getattr(record, name)).casefold() for name in self.fields.values()]
        return any(text in cell for cell in cells) and all(
            getattr(record, name) == value for name, value in values.items() if name != _TEXT
        )

    def _write_row(self, record: Any) -> Iterable[Inline]:
        for at, name in enumerate(self.fields.values()):
            text = str(getattr(record, name))
            leads = self.links_first and at == 0
            yield Link(text, f"/{self.name}/{text}") if leads else text


def _rank(name: str, record: Any) -> Any:
    value = getattr(record, name)
    return PRIORITIES.index(value) if name == "priority" else value


INCIDENTS = ListPage(
    "incidents",
    "Incidents",
    {
        "Number": "number",
        "Description": "description",
        "Caller": "caller",
        "Category": "category",
        "Priority": "priority",
        "State": "state",
        "Assigned to": "assigned_to",
    },
    (
        Filter("State", "state", lambda _: INCIDENT_STATES),
        Filter("Category", "category", lambda _: CATEGORIES),
        Filter("Priority", "priority", lambda _: PRIORITIES),
        Filter("Assigned to", "assigned_to", lambda desk: (NOBODY, *sorted(desk.records.solvers))),
    ),
    lambda desk: desk.list_incidents(),
    links_first=True,
)

PEOPLE = ListPage(
    "people",
    "People",
    {"Name": "name", "Department": "department", "Site": "site", "Phone": "phone"},
    (
        Filter("Department", "department", lambda _: DEPARTMENTS),
        Filter("Site", "site", lambda desk: sorted({one.site for one in desk.records.people})),
    ),
    lambda desk: desk.records.people,
)

ASSETS = ListPage(
    "assets",
    "Assets",
    {
        "Tag": "tag",
        "Model": "model",
        "Owner": "owner",
        "State": "state",
        "Bought": "bought",
        "Cost": "cost",
    },
    (
        Filter("State", "state", lambda _: ASSET_STATES),
        Filter("Model", "model", lambda desk: sorted({one.model for one in desk.records.assets})),
    ),
    lambda desk: desk.records.assets,
)
