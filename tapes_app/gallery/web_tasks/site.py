"""The service desk as a site: a request and a state become a page and the state after it.

Pure: nothing is kept here, so each run has a desk of its own.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias
from urllib.parse import parse_qsl, urlencode

from tapes_app.gallery.web_tasks import pages
from tapes_app.gallery.web_tasks.page import Page
from tapes_app.gallery.web_tasks.records import (
    CATEGORIES,
    INCIDENT_STATES,
    MOST_CHANGES,
    NOBODY,
    PRIORITIES,
    DeskState,
    Incident,
    Order,
    Shown,
)

HOST = "desk.test"
"""A name that no network has: only the browser of the run finds it."""

HOME = f"http://{HOST}/"
_LONGEST_VALUE = 200


@dataclass(frozen=True, slots=True)
class DeskRequest:
    """What is asked for: a path with the values of its query, and of a form that changes things."""

    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    form: Mapping[str, str] | None = None
    """`None`: nothing is to be changed."""

    @classmethod
    def of(cls, target: str, body: str | None = None) -> "DeskRequest":
        """Return the request for a path with its query, and for the body of a form."""
        path, _, query = target.partition("?")
        return cls(path, _read_values(query), None if body is None else _read_values(body))


@dataclass(frozen=True, slots=True)
class DeskAnswer:
    """The desk after a request, with the page, or where to go instead."""

    state: DeskState
    page: Page | None = None
    address: str = ""


Visit: TypeAlias = tuple[Page, Shown]


def answer(state: DeskState, request: DeskRequest) -> DeskAnswer:
    """Answer a request; one that is refused changes nothing."""
    if request.form is not None:
        return _change(state, request.path, request.form)
    visit = _open(state, request)
    if visit is None:
        return DeskAnswer(state, pages.make_refusal("There is no such page.", status=404))
    page, shown = visit
    return DeskAnswer(state.model_copy(update={"shown": shown}), page)


def _open(state: DeskState, request: DeskRequest) -> Visit | None:
    query = request.query
    if make := _PAGES.get(request.path):
        return make(state, query)
    if found := re.fullmatch(r"/incidents/(INC\d{1,9})", request.path):
        incident = state.find_incident(found[1])
        return pages.show_incident(state, incident, query) if incident else None
    if found := re.fullmatch(r"/catalogue/([a-z-]{1,40})", request.path):
        item = pages.ITEMS.get(found[1])
        return pages.show_item(item) if item else None
    if found := re.fullmatch(r"/knowledge/(KB\d{1,9})", request.path):
        articles = {one.number: one for one in state.records.articles}
        article = articles.get(found[1])
        return pages.show_article(article) if article else None
    return None


_PAGES: Mapping[str, Callable[[DeskState, Mapping[str, str]], Visit]] = {
    "/": pages.show_home,
    "/incidents": pages.list_incidents,
    "/incidents/new": pages.show_new_incident,
    "/people": pages.list_people,
    "/assets": pages.list_assets,
    "/catalogue": pages.show_catalogue,
    "/knowledge": pages.search_knowledge,
    "/charts": pages.show_chart,
    "/dashboards": pages.show_dashboard,
}


def _change(state: DeskState, path: str, form: Mapping[str, str]) -> DeskAnswer:
    if max(len(state.incidents), len(state.orders)) >= MOST_CHANGES:
        return _refuse(state, "The desk is full: nothing more can be changed.")
    if path == "/incidents/new":
        return _save_incident(state, None, form)
    if found := re.fullmatch(r"/incidents/(INC\d{1,9})", path):
        before = state.find_incident(found[1])
        if before is not None:
            return _save_incident(state, before, form)
    if found := re.fullmatch(r"/catalogue/([a-z-]{1,40})", path):
        item = pages.ITEMS.get(found[1])
        if item is not None:
            return _place_order(state, item, form)
    return DeskAnswer(state, pages.make_refusal("There is no such page.", status=404))


def _save_incident(
    state: DeskState, before: Incident | None, form: Mapping[str, str]
) -> DeskAnswer:
    """Report an incident, or save one with the values of a form in place of its own."""
    own = before.model_dump() if before else {"state": "New", "assigned_to": NOBODY}
    values = {name: form.get(name, own.get(name, "")) for name in Incident.model_fields}
    values["number"] = before.number if before else state.next_number()
    people = [person.name for person in state.records.people]
    allowed = {
        "caller": people,
        "category": CATEGORIES,
        "priority": PRIORITIES,
        "state": INCIDENT_STATES,
        "assigned_to": [NOBODY, *state.records.solvers],
    }
    for name, known in allowed.items():
        if values[name] not in known:
            return _refuse(state, f"Choose one of these as {name.replace('_', ' ')}.")
    if not values["description"].strip():
        return _refuse(state, "Give the incident a description.")
    incident = Incident.model_validate(values)
    return DeskAnswer(
        state.with_incident(incident), address=f"/incidents/{incident.number}?saved=yes"
    )


def _place_order(state: DeskState, item: pages.Item, form: Mapping[str, str]) -> DeskAnswer:
    quantity = form.get("quantity", "")
    if not re.fullmatch(r"[1-9][0-9]?", quantity):
        return _refuse(state, "Order a quantity from 1 to 99.")
    options = {label: form.get(label.casefold(), "") for label in item.options}
    if any(options[label] not in known for label, known in item.options.items()):
        return _refuse(state, "Choose one of the options of the item.")
    order = Order(item=item.name, options=options, quantity=int(quantity))
    placed = state.model_copy(update={"orders": (*state.orders, order)})
    return DeskAnswer(placed, address=f"/catalogue?ordered={len(placed.orders)}")


def _refuse(state: DeskState, reason: str) -> DeskAnswer:
    return DeskAnswer(state, pages.make_refusal(f"{reason} Nothing was changed.", status=400))


def _read_values(text: str) -> dict[str, str]:
    try:
        pairs = parse_qsl(text, max_num_fields=30)
    except ValueError:  # too many
        return {}
    return {name: value[:_LONGEST_VALUE] for name, value in pairs}


def write_query(values: Mapping[str, str]) -> str:
    """Return values as a browser sends those of a form."""
    return urlencode(values)
