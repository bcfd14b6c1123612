"""The twelve pages of the desk, each made from its state and what its address asks for."""

from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from tapes_app.gallery.web_tasks.articles import Article
from tapes_app.gallery.web_tasks.lists import ASSETS, INCIDENTS, PEOPLE, ListPage
from tapes_app.gallery.web_tasks.page import (
    Bars,
    Element,
    Field,
    Form,
    Group,
    Heading,
    Items,
    Link,
    Menu,
    Page,
    Paragraph,
    Table,
)
from tapes_app.gallery.web_tasks.records import (
    CATEGORIES,
    DEPARTMENTS,
    INCIDENT_STATES,
    NOBODY,
    PRIORITIES,
    DeskState,
    Incident,
    Shown,
)

Query: TypeAlias = Mapping[str, str]
Visit: TypeAlias = tuple[Page, Shown]

MENU = Menu((
    Group("Incidents", (
        Link("All incidents", "/incidents"),
        Link("New incidents", "/incidents?state=New"),
        Link("Critical incidents", "/incidents?priority=Critical"),
        Link("Unassigned incidents", "/incidents?assigned_to=Nobody"),
        Link("Report an incident", "/incidents/new"),
    )),
    Group("Assets", (
        Link("All assets", "/assets"),
        Link("Assets in repair", "/assets?state=In+repair"),
        Link("Assets in stock", "/assets?state=In+stock"),
        Link("Retired assets", "/assets?state=Retired"),
    )),
    Group("Help", (
        Link("Catalogue", "/catalogue"),
        Link("Knowledge", "/knowledge"),
        Link("People", "/people"),
    )),
    Group("Reports", (Link("Charts", "/charts"), Link("Dashboards", "/dashboards"))),
))  # fmt: skip


class Item(NamedTuple):
    """An item of the catalogue: its options by their labels."""

    name: str
    euros: int
    options: Mapping[str, tuple[str, ...]]


ITEMS: Mapping[str, Item] = MappingProxyType({
    "laptop": Item("Developer laptop", 1_900, {
        "Memory": ("16 GB", "32 GB", "64 GB"), "Keyboard": ("English", "French", "Norwegian")}),
    "screen": Item("Screen", 320, {
        "Size": ("24 inches", "27 inches", "32 inches"), "Stand": ("Desk", "Wall")}),
    "phone": Item("Mobile phone", 640, {
        "Colour": ("Black", "Green", "White"), "Storage": ("128 GB", "256 GB")}),
    "chair": Item("Office chair", 410, {
        "Colour": ("Black", "Blue", "Grey"), "Armrests": ("With", "Without")}),
    "headset": Item("Headset", 95, {
        "Plug": ("USB-A", "USB-C"), "Ears": ("One", "Two")}),
})  # fmt: skip

_CHARTS = {
    "Category": ("category", CATEGORIES),
    "Priority": ("priority", PRIORITIES),
    "State": ("state", INCIDENT_STATES),
}


def show_home(state: DeskState, query: Query) -> Visit:
    del state, query
    hint = Paragraph("Choose a page from the menu.")
    return _make("Service desk", hint), Shown(page="home")


def list_incidents(state: DeskState, query: Query) -> Visit:
    return _show_list(INCIDENTS, state, query)


def list_people(state: DeskState, query: Query) -> Visit:
    return _show_list(PEOPLE, state, query)


def list_assets(state: DeskState, query: Query) -> Visit:
    return _show_list(ASSETS, state, query)


def _show_list(kind: ListPage, state: DeskState, query: Query) -> Visit:
    chosen = kind.read(state, query)
    shown = Shown(page=kind.name, filters=chosen.filters, sort=chosen.sort)
    summary = "; ".join((*chosen.filters, f"Sorted by: {chosen.sort}"))
    rows = kind.list_rows(state, chosen)
    return (
        _make(
            kind.title,
            Form(f"/{kind.name}", kind.list_fields(state, chosen), "Apply"),
            Paragraph(summary),
            Table(kind.columns, rows) if rows else Paragraph("Nothing fits."),
        ),
        shown,
    )


def show_new_incident(state: DeskState, query: Query) -> Visit:
    del query
    people = tuple(sorted(person.name for person in state.records.people))
    fields = (
        Field("Description", "description"),
        Field("Caller", "caller", people[0], people),
        Field("Category", "category", CATEGORIES[0], CATEGORIES),
        Field("Priority", "priority", PRIORITIES[0], PRIORITIES),
    )
    form = Form("/incidents/new", fields, "Report", changes=True)
    return _make("Report an incident", form), Shown(page="new incident")


def show_incident(state: DeskState, incident: Incident, query: Query) -> Visit:
    solvers = (NOBODY, *sorted(state.records.solvers))
    fields = (
        Field("Description", "description", incident.description),
        Field("Category", "category", incident.category, CATEGORIES),
        Field("Priority", "priority", incident.priority, PRIORITIES),
        Field("State", "state", incident.state, INCIDENT_STATES),
        Field("Assigned to", "assigned_to", incident.assigned_to, solvers),
    )
    saved = (f"Incident {incident.number} was saved.",) if query.get("saved") == "yes" else ()
    page = _make(
        f"Incident {incident.number}",
        *(Paragraph(text, is_status=True) for text in saved),
        Paragraph(f"Reported by {incident.caller}"),
        Form(f"/incidents/{incident.number}", fields, "Save", changes=True),
    )
    return page, Shown(page="incident", record=incident.number)


def show_catalogue(state: DeskState, query: Query) -> Visit:
    number = query.get("ordered", "")
    placed = {str(at): one for at, one in enumerate(state.orders, start=1)}.get(number)
    notes = (f"Order {number} was placed: {placed.quantity} of {placed.item}.",) if placed else ()
    rows = tuple(
        (Link(item.name, f"/catalogue/{name}"), f"{item.euros} euros")
        for name, item in ITEMS.items()
    )
    page = _make(
        "Catalogue",
        *(Paragraph(text, is_status=True) for text in notes),
        Table(("Item", "Price"), rows),
    )
    return page, Shown(page="catalogue")


def show_item(item: Item) -> Visit:
    address = next(f"/catalogue/{name}" for name, one in ITEMS.items() if one is item)
    fields = (
        *(Field(label, label.casefold(), known[0], known) for label, known in item.options.items()),
        Field("Quantity", "quantity", "1"),
    )
    form = Form(address, fields, "Order", changes=True)
    return _make(item.name, Paragraph(f"{item.euros} euros each"), form), Shown(
        page="item", record=item.name
    )


def search_knowledge(state: DeskState, query: Query) -> Visit:
    text = query.get("text", "").strip()
    found = [one for one in state.records.articles if text and one.has_word(text)]
    links = tuple(Link(one.title, f"/knowledge/{one.number}") for one in found)
    summary = f"{len(found)} articles have {text}." if text else "Search for a word or a phrase."
    page = _make(
        "Knowledge",
        Form("/knowledge", (Field("Text", "text", text),), "Search"),
        Paragraph(summary),
        Items(links),
    )
    return page, Shown(page="knowledge", filters=(f"Text: {text}",) if text else ())


def show_article(article: Article) -> Visit:
    notes = (Paragraph("This article no longer holds."),) if article.is_outdated else ()
    facts = Items(tuple(article.sentences))
    return _make(article.title, *notes, facts), Shown(page="article", record=article.number)


def show_chart(state: DeskState, query: Query) -> Visit:
    chosen = query.get("chart", "")
    chosen = chosen if chosen in _CHARTS else "Category"
    name, values = _CHARTS[chosen]
    counts = Counter(getattr(one, name) for one in state.list_incidents())
    page = _make(
        "Charts",
        Form("/charts", (Field("Chart", "chart", chosen, tuple(_CHARTS)),), "Show"),
        Heading(f"Incidents by {chosen.casefold()}", level=2),
        Bars(tuple((value, counts[value]) for value in values)),
    )
    return page, Shown(page="charts", record=chosen)


def show_dashboard(state: DeskState, query: Query) -> Visit:
    chosen = query.get("department", "")
    chosen = chosen if chosen in DEPARTMENTS else DEPARTMENTS[0]
    page = _make(
        "Dashboards",
        Form("/dashboards", (Field("Department", "department", chosen, DEPARTMENTS),), "Show"),
        Heading(f"Dashboard of {chosen}", level=2),
        Items(tuple(f"{name}: {count}" for name, count in count_department(state, chosen).items())),
    )
    return page, Shown(page="dashboards", record=chosen)


def count_department(state: DeskState, department: str) -> Mapping[str, int]:
    """Return the figures of a department's dashboard, by their names."""
    people = {one.name for one in state.records.people if one.department == department}
    incidents = [one for one in state.list_incidents() if one.caller in people]
    assets = [one for one in state.records.assets if one.owner in people]
    return {
        "People": len(people),
        "Open incidents": sum(one.state != "Resolved" for one in incidents),
        "Critical incidents": sum(one.priority == "Critical" for one in incidents),
        "Assets": len(assets),
        "Value of its assets in euros": sum(one.cost for one in assets),
    }


def make_refusal(reason: str, *, status: int) -> Page:
    """Return the page that says why nothing was done."""
    page = _make("Not possible", Paragraph(reason, is_status=True))
    return Page(page.title, page.elements, status)


def _make(title: str, *elements: Element) -> Page:
    return Page(title, (MENU, Heading(title), *elements))
