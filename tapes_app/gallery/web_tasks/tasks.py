"""The sixty tasks, the same by seed: each on a desk of its own, with a check of how it ends.

Run `python -m tapes_app.gallery.web_tasks.tasks` after a change, and commit the file.
"""

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tapes_app.gallery.web_tasks import pages
from tapes_app.gallery.web_tasks.lists import ASSETS, INCIDENTS, ORDERS, PEOPLE
from tapes_app.gallery.web_tasks.records import (
    CATEGORIES,
    DEPARTMENTS,
    INCIDENT_STATES,
    NOBODY,
    PRIORITIES,
    DeskState,
    Incident,
    Order,
    Shown,
)
from tapes_app.gallery.web_tasks.site import DeskRequest, answer

FILE = Path(__file__).parent / "tasks.jsonl"
_LISTS = (INCIDENTS, PEOPLE, ASSETS)
_MADE_UP = (
    "Printer on floor 2 is out of toner", "Password reset link does not arrive",
    "Docking station has no picture", "Calendar shows the wrong time zone",
    "Fan of the laptop is loud", "Cannot join video calls",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Task:
    kind: str
    seed: int
    text: str
    end: Mapping[str, Any]
    """What the desk must be like at the end; by default nothing is changed."""

    answer: str = ""
    """What must be answered; empty: nothing in particular."""

    def write(self, number: int) -> dict[str, Any]:
        """Return the task as a row of a file of examples."""
        desk = {"incidents": [], "orders": [], **self.end}
        checks = [{"name": "desk", "check": {"kind": "state", "state": {"service_desk": desk}}}]
        if self.answer:
            checks.append({"name": "answer", "check": {"kind": "equals", "text": self.answer}})
        return {
            "id": f"web-{number:02}",
            "kind": self.kind,
            "task": self.text,
            "set_up": {"service_desk": {"seed": self.seed}},
            "check": {"kind": "constraints", "constraints": checks},
        }


Make = Callable[[random.Random, DeskState], Task]


def _filter(chance: random.Random, desk: DeskState) -> Task:
    page = chance.choice(_LISTS)
    record = chance.choice(list(page.list_records(desk)))
    chosen = chance.sample(page.filters, 2)
    parts = [f"{one.label} is {getattr(record, one.name)}" for one in chosen]
    shown = {
        "page": page.name,
        "filters": [
            f"{one.label}: {getattr(record, one.name)}" for one in page.filters if one in chosen
        ],
        "sort": f"{page.columns[0]}, {ORDERS[0].casefold()}",
    }
    text = f"Show the list of {page.name} where {' and '.join(parts)}."
    return Task("filter", desk.seed, text, {"shown": shown})


def _sort(chance: random.Random, desk: DeskState) -> Task:
    page = chance.choice(_LISTS)
    column, order = chance.choice(page.columns[1:]), chance.choice(ORDERS).casefold()
    shown = {"page": page.name, "filters": [], "sort": f"{column}, {order}"}
    text = f"Sort the list of {page.name} by {column}, {order}."
    return Task("sort", desk.seed, text, {"shown": shown})


def _report(chance: random.Random, desk: DeskState) -> Task:
    caller = chance.choice(desk.records.people).name
    values, incident = _make_incident(chance, desk, caller)
    text = f"Report an incident with {_say({'Caller': caller, **values})}."
    return Task("report", desk.seed, text, _changed(desk, incident))


def _report_for_owner(chance: random.Random, desk: DeskState) -> Task:
    asset = chance.choice(desk.records.assets)
    values, incident = _make_incident(chance, desk, asset.owner)
    text = f"Report an incident for the owner of asset {asset.tag} with {_say(values)}."
    return Task("report for owner", desk.seed, text, _changed(desk, incident))


def _change(chance: random.Random, desk: DeskState) -> Task:
    before = chance.choice(desk.records.incidents)
    wanted = {
        "category": _other(chance, CATEGORIES, before.category),
        "priority": _other(chance, PRIORITIES, before.priority),
        "state": _other(chance, INCIDENT_STATES, before.state),
        "assigned_to": _other(chance, desk.records.solvers, before.assigned_to),
    }
    chosen = {name: wanted[name] for name in chance.sample(tuple(wanted), 2)}
    labels = {name.capitalize().replace("_", " "): value for name, value in chosen.items()}
    text = f"Change incident {before.number} to {_say(labels)}."
    return Task("change", desk.seed, text, _changed(desk, before.model_copy(update=chosen)))


def _order(chance: random.Random, desk: DeskState) -> Task:
    item = chance.choice(tuple(pages.ITEMS.values()))
    options = {label: chance.choice(known) for label, known in item.options.items()}
    quantity = chance.randint(2, 20)
    order = Order(item=item.name, options=options, quantity=quantity)
    choices = _say({**options, "Quantity": str(quantity)})
    text = f'Order the item "{item.name}" from the catalogue with {choices}.'
    return Task("order", desk.seed, text, {"orders": [order.model_dump()]})


def _look_up(chance: random.Random, desk: DeskState) -> Task:
    article = chance.choice([one for one in desk.records.articles if not one.is_outdated])
    what, value = chance.choice(article.facts)
    text = f"According to the knowledge base, what is the {what}?"
    return Task("knowledge", desk.seed, text, {}, value)


def _open(chance: random.Random, desk: DeskState) -> Task:
    link = chance.choice([link for group in pages.MENU.groups for link in group.links])
    shown = answer(desk, DeskRequest.of(link.address)).state.shown or Shown(page="")
    text = f'Open "{link.text}" from the menu.'
    return Task("menu", desk.seed, text, {"shown": shown.model_dump(mode="json")})


def _read_chart(chance: random.Random, desk: DeskState) -> Task:
    chart, values = chance.choice(
        (("category", CATEGORIES), ("priority", PRIORITIES), ("state", INCIDENT_STATES))
    )
    counts = Counter(getattr(one, chart) for one in desk.list_incidents())
    (most, count), (_, next_count) = counts.most_common(2)
    if count > next_count and chance.random() < 1 / 2:
        text = f"In the chart of incidents by {chart}, which has the most?"
        return Task("chart", desk.seed, text, {}, most)
    value = chance.choice(values)
    text = f"In the chart of incidents by {chart}, how many are {value}?"
    return Task("chart", desk.seed, text, {}, str(counts[value]))


def _read_dashboard(chance: random.Random, desk: DeskState) -> Task:
    one, other = chance.sample(DEPARTMENTS, 2)
    figures, others = pages.count_department(desk, one), pages.count_department(desk, other)
    name = chance.choice(tuple(figures))
    if figures[name] != others[name] and chance.random() < 1 / 2:
        more = one if figures[name] > others[name] else other
        text = f'Which dashboard has more for "{name}", that of {one} or that of {other}?'
        return Task("dashboard", desk.seed, text, {}, more)
    text = f'What is the figure "{name}" on the dashboard of {one}?'
    return Task("dashboard", desk.seed, text, {}, str(figures[name]))


def _hand_over(chance: random.Random, desk: DeskState) -> Task:
    pairs = Counter((one.state, one.assigned_to) for one in desk.records.incidents)
    twice = [pair for pair, count in pairs.items() if count == 2 and pair[1] != NOBODY]  # noqa: PLR2004
    if not twice:
        raise _UnfitDeskError
    state, before = chance.choice(twice)
    after = _other(chance, desk.records.solvers, before)
    pair = (state, before)
    moved = [one for one in desk.records.incidents if (one.state, one.assigned_to) == pair]
    text = f"Assign every incident in state {state} that is assigned to {before} to {after}."
    changed = [one.model_copy(update={"assigned_to": after}) for one in moved]
    return Task("hand over", desk.seed, text, _changed(desk, *changed))


class _UnfitDeskError(Exception):
    """A desk has nothing for a kind of task."""


_KINDS: Sequence[tuple[Make, int]] = (
    (_filter, 6),
    (_sort, 6),
    (_report, 5),
    (_report_for_owner, 4),
    (_change, 6),
    (_order, 6),
    (_look_up, 6),
    (_open, 5),
    (_read_chart, 6),
    (_read_dashboard, 6),
    (_hand_over, 4),
)
"""How many there are of each kind."""


def make_tasks() -> Iterator[Task]:
    """Yield the tasks, no two of them with the same text."""
    seeds = iter(range(1, 10_000))
    known: set[str] = set()
    for make, count in _KINDS:
        left = count
        while left:
            seed = next(seeds)
            chance = random.Random(f"web task {seed}")  # noqa: S311 - to repeat, not a secret
            try:
                task = make(chance, DeskState(seed=seed))
            except _UnfitDeskError:
                continue
            if task.text not in known:
                known.add(task.text)
                left -= 1
                yield task


def write_tasks(path: Path) -> None:
    rows = (task.write(number) for number, task in enumerate(make_tasks(), start=1))
    lines = [json.dumps(row, ensure_ascii=False) for row in rows]
    path.write_text("\n".join([*lines, ""]), "utf-8")


def _make_incident(
    chance: random.Random, desk: DeskState, caller: str
) -> tuple[dict[str, str], Incident]:
    """Return values for the form of an incident, and the incident that it becomes."""
    values = {
        "Description": chance.choice(_MADE_UP),
        "Category": chance.choice(CATEGORIES),
        "Priority": chance.choice(PRIORITIES),
    }
    fields = {label.casefold(): value for label, value in values.items()}
    rest = {"number": desk.next_number(), "state": "New", "assigned_to": NOBODY}
    return values, Incident.model_validate({**fields, **rest, "caller": caller})


def _changed(desk: DeskState, *incidents: Incident) -> Mapping[str, Any]:
    for incident in incidents:
        desk = desk.with_incident(incident)
    return {"incidents": desk.write()["incidents"]}


def _other(chance: random.Random, values: Sequence[str], value: str) -> str:
    return chance.choice([one for one in values if one != value])


def _say(values: Mapping[str, str]) -> str:
    return ", ".join(f'{label} "{value}"' for label, value in values.items())


if __name__ == "__main__":
    write_tasks(FILE)
