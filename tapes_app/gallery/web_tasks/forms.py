"""The forms of tasks that the script knows, and how it does each."""

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from tapes_app.gallery.web_tasks.eyes import Eyes
from tapes_app.gallery.web_tasks.reading import SeenPage

DONE = "done"
UNKNOWN = "unknown"
_PARTS = re.compile(r'(\w[\w ]{0,40}) "([^"]{0,100})"')
_LINKS = {"incidents": "All incidents", "assets": "All assets", "people": "People"}
_SAVED = re.compile(r"Incident INC\d{1,9} was saved\.")
_OUTDATED = "Out of date"


class TaskForm(NamedTuple):
    pattern: re.Pattern[str]
    do: Callable[..., str]
    reached_when: str


FORMS: list[TaskForm] = []

Do = Callable[..., str]


def _form(pattern: re.Pattern[str], reached_when: str) -> Callable[[Do], Do]:
    def add(do: Do) -> Do:
        FORMS.append(TaskForm(pattern, do, reached_when))
        return do

    return add


def find_form(goal: str) -> tuple[TaskForm, Mapping[str, Any]] | None:
    """Return the form of a goal with what the goal says in it; `None` if it has no known one."""
    for form in FORMS:
        if found := form.pattern.fullmatch(goal.strip()):
            return form, found.groupdict()
    return None


@_form(
    re.compile(r"Show the list of (?P<name>incidents|people|assets) where (?P<what>.{1,300})\."),
    "The list says that it shows this and nothing else.",
)
def _filter(eyes: Eyes, name: str, what: str) -> str:
    eyes.go(_LINKS[name], name.capitalize())
    eyes.show_list(dict(part.split(" is ", 1) for part in what.split(" and ") if " is " in part))
    return DONE


@_form(
    re.compile(
        r"Sort the list of (?P<name>incidents|people|assets) by (?P<column>[\w ]{1,40}), "
        r"(?P<order>ascending|descending)\."
    ),
    "The list says that it is sorted in this way.",
)
def _sort(eyes: Eyes, name: str, column: str, order: str) -> str:
    eyes.go(_LINKS[name], name.capitalize())
    eyes.show_list({"Sort by": column, "Order": order.capitalize()})
    return DONE


@_form(
    re.compile(r"Report an incident with (?P<values>.{1,500})\."),
    "The page says that the incident was saved.",
)
def _report(eyes: Eyes, values: str) -> str:
    return _report_with(eyes, _read_parts(values))


@_form(
    re.compile(
        r"Report an incident for the owner of asset (?P<tag>A\d{1,9}) with (?P<values>.{1,500})\."
    ),
    "The page says that the incident was saved.",
)
def _report_for_owner(eyes: Eyes, tag: str, values: str) -> str:
    page = eyes.find_page("cell", tag)
    if page is None:
        eyes.go("All assets", "Assets")
        return UNKNOWN
    rows = page.list_rows()
    owners = [row.get("Owner", "") for row in rows]
    right = next((row.get("Owner", "") for row in rows if row.get("Tag") == tag), "")
    return _report_with(eyes, {"Caller": eyes.aim("row", right, owners), **_read_parts(values)})


def _report_with(eyes: Eyes, values: Mapping[str, str]) -> str:
    if not _SAVED.fullmatch(eyes.page.status):
        eyes.go("Report an incident", "Report an incident")
        for label, value in values.items():
            eyes.fill(label, value)
        eyes.click("button", "Report")
    return DONE


@_form(
    re.compile(r"Change incident (?P<number>INC\d{1,9}) to (?P<values>.{1,500})\."),
    "The page says that the incident was saved.",
)
def _change(eyes: Eyes, number: str, values: str) -> str:
    if _SAVED.fullmatch(eyes.page.status):
        return DONE
    if not eyes.page.heading.startswith("Incident INC"):
        eyes.go("All incidents", "Incidents")
        rows = [row.get("Number", "") for row in eyes.page.list_rows()]
        if number not in rows:
            return UNKNOWN
        eyes.click("link", eyes.aim("row", number, rows))
    for label, value in _read_parts(values).items():
        eyes.fill(label, value)
    eyes.click("button", "Save")
    return DONE


@_form(
    re.compile(
        r'Order the item "(?P<item>[^"]{1,60})" from the catalogue with (?P<values>.{1,300})\.'
    ),
    "The page says that the order was placed.",
)
def _order(eyes: Eyes, item: str, values: str) -> str:
    if "was placed" in eyes.page.status:
        return DONE
    if eyes.page.find("button", "Order") is None:
        eyes.go("Catalogue", "Catalogue")
        items = [row.get("Item", "") for row in eyes.page.list_rows()]
        if item not in items:
            return UNKNOWN
        eyes.click("link", item)
    for label, value in _read_parts(values).items():
        eyes.fill(label, value)
    eyes.click("button", "Order")
    return DONE


@_form(
    re.compile(r"According to the knowledge base, what is the (?P<what>[\w ]{1,100})\?"),
    "An article that holds says it.",
)
def _look_up(eyes: Eyes, what: str) -> str:
    takes_old = eyes.errs("article")
    start = f"The {what} is "
    found = [text for text in eyes.page.list_texts("listitem") if text.startswith(start)]
    if found:
        return found[0].removeprefix(start).removesuffix(".")
    eyes.go("Knowledge", "Knowledge")
    field, text, _ = eyes.page.read_field("Text")
    if field is None or text != what or what not in "".join(eyes.page.list_texts("paragraph")):
        eyes.search(what)
    articles = [text for text in eyes.page.list_texts("link") if text not in eyes.menu]
    fitting = [text for text in articles if text.startswith(_OUTDATED) == takes_old]
    if not fitting:
        return UNKNOWN
    eyes.click("link", fitting[0])
    return UNKNOWN


@_form(
    re.compile(r'Open "(?P<link>[^"]{1,60})" from the menu\.'), "The page that it leads to is open."
)
def _open(eyes: Eyes, link: str) -> str:
    if eyes.has_left_home():
        return DONE
    eyes.click("link", eyes.aim("link", link, eyes.page.list_texts("link")))
    return DONE


@_form(
    re.compile(
        r"In the chart of incidents by (?P<chart>\w{1,20}), how many are (?P<name>[\w ]{1,40})\?"
    ),
    "The chart is shown.",
)
def _count_bar(eyes: Eyes, chart: str, name: str) -> str:
    counts = _read_chart(eyes, chart)
    return counts.get(eyes.aim("bar", name, list(counts)), UNKNOWN)


@_form(
    re.compile(r"In the chart of incidents by (?P<chart>\w{1,20}), which has the most\?"),
    "The chart is shown.",
)
def _find_longest_bar(eyes: Eyes, chart: str) -> str:
    counts = _read_chart(eyes, chart)
    longest = max(counts, key=lambda name: int(counts[name]), default=UNKNOWN)
    return eyes.aim("bar", longest, list(counts))


def _read_chart(eyes: Eyes, chart: str) -> dict[str, str]:
    eyes.go("Charts", "Charts")
    eyes.fill("Chart", chart.capitalize())
    shown = eyes.page.read_field("Chart")[1]
    if eyes.page.find("heading", f"Incidents by {shown.casefold()}") is None:
        eyes.click("button", "Show")
    bars = (text.rpartition(": ") for text in eyes.page.list_texts("img"))
    return {name: count for name, _, count in bars if count.isdigit()}


@_form(
    re.compile(
        r'What is the figure "(?P<name>[^"]{1,60})" on the dashboard of (?P<department>\w{1,40})\?'
    ),
    "The dashboard is shown.",
)
def _read_figure(eyes: Eyes, name: str, department: str) -> str:
    page = _visit_dashboard(eyes, department)
    figures = _read_figures(page)
    return figures.get(eyes.aim("figure", name, list(figures)), UNKNOWN)


@_form(
    re.compile(
        r'Which dashboard has more for "(?P<name>[^"]{1,60})", that of (?P<one>\w{1,40}) or '
        r"that of (?P<other>\w{1,40})\?"
    ),
    "Both dashboards were shown.",
)
def _compare(eyes: Eyes, name: str, one: str, other: str) -> str:
    figures = {
        department: _read_figures(_visit_dashboard(eyes, department)).get(name, "0")
        for department in (one, other)
    }
    more = max(figures, key=lambda department: int(figures[department]))
    return eyes.aim("more", more, list(figures))


def _visit_dashboard(eyes: Eyes, department: str) -> SeenPage:
    """Return the dashboard of a department, as it was seen."""
    page = eyes.find_page("heading", f"Dashboard of {department}")
    if page is None:
        eyes.go("Dashboards", "Dashboards")
        eyes.set("Department", department)
        eyes.click("button", "Show")
    return page or eyes.page


def _read_figures(page: SeenPage) -> dict[str, str]:
    parts = (text.rpartition(": ") for text in page.list_texts("listitem"))
    return {name: count for name, _, count in parts if count.isdigit()}


@_form(
    re.compile(
        r"Assign every incident in state (?P<state>[\w ]{1,20}) that is assigned to "
        r"(?P<before>\w{1,40} \w{1,40}) to (?P<after>\w{1,40} \w{1,40})\."
    ),
    "Each of those incidents was saved.",
)
def _hand_over(eyes: Eyes, state: str, before: str, after: str) -> str:
    shown = f"State: {state}; Assigned to: {before}; Sorted by: Number, ascending"
    page = eyes.find_page("paragraph", shown)
    if page is None:
        eyes.go("All incidents", "Incidents")
        eyes.show_list({"State": state, "Assigned to": before}, exactly=True)
        return UNKNOWN
    numbers = [row.get("Number", "") for row in page.list_rows()]
    left = [one for one in numbers if not eyes.find_page("status", f"Incident {one} was saved.")]
    if not left or (len(left) < len(numbers) and eyes.errs("rest")):
        return DONE
    if eyes.page.heading != f"Incident {left[0]}":
        eyes.go("All incidents", "Incidents")
        eyes.click("link", left[0])
    eyes.fill("Assigned to", after, never=before)
    eyes.click("button", "Save")
    return DONE


def _read_parts(values: str) -> dict[str, str]:
    return dict(_PARTS.findall(values))
