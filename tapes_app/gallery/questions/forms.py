"""The questions that the script knows: what to look up for each, and what to work out.

A question has one of a few forms, made of phrases: `solver`.
"""

import re
from collections.abc import Callable

from tapes_app.gallery.questions.solver import Desk, Solver
from tapes_app.gallery.questions.sources import CENSUS, ISLANDS, SCHOOLS, WEATHER, Lookup, Source

_ROUNDING = re.compile(r" Round to (?P<to>a whole number|one decimal|two decimals)\.$")
_DECIMALS = {"a whole number": 0, "one decimal": 1, "two decimals": 2}

_TOTALS = """\
totals = {{}}
for island, value in {rows}:
    totals[island] = totals.get(island, 0) + value
"""
_MOST = "print(max(totals, key=lambda island: totals[island]))"


def solve(question: str, desk: Desk) -> str | None:
    """Return the answer with values of a desk; `None` if the question has none of the forms."""
    rounding = _ROUNDING.search(question)
    bare = question[: rounding.start()] if rounding else question
    decimals = _DECIMALS[rounding["to"]] if rounding else None
    for pattern, form in _FORMS:
        if found := pattern.fullmatch(bare.strip()):
            return form(Solver(desk, decimals), **found.groupdict())
    return None


Form = Callable[..., str]
_FORMS: list[tuple[re.Pattern[str], Form]] = []


def _form(pattern: re.Pattern[str]) -> Callable[[Form], Form]:
    def keep(form: Form) -> Form:
        _FORMS.append((pattern, form))
        return form

    return keep


def _simple(pattern: re.Pattern[str], phrase: str, unit: str) -> None:
    """Keep a form whose answer is one value."""

    @_form(pattern)
    def answer(solver: Solver, **parts: str) -> str:
        return f"{solver.value(phrase.format(**parts))} {unit}".strip()


_simple(re.compile(r"What is the area of (?P<x>.{1,99})\?"), "area of {x}", "km²")
_simple(
    re.compile(r"How high is the highest hill of (?P<x>.{1,99})\?"),
    "height of the highest hill of {x}",
    "m",
)
_simple(
    re.compile(r"How high is the lighthouse (?P<x>.{1,99})\?"), "height of the lighthouse {x}", "m"
)
_simple(
    re.compile(r"In (?P<y>\d{4}), how many people lived on (?P<x>.{1,99})\?"),
    "population of {x} in {y}",
    "",
)
_simple(
    re.compile(r"On which island was (?P<x>\w+ \w+) born\?"),
    "island where {x} was born",
    "",
)
_simple(
    re.compile(r"What does an adult pay for the ferry from (?P<a>.{1,99}) to (?P<b>.{1,99})\?"),
    "adult fare from {a} to {b}",
    "crowns",
)
_simple(
    re.compile(r"How many minutes does the ferry from (?P<a>.{1,99}) to (?P<b>.{1,99}) take\?"),
    "minutes from {a} to {b}",
    "minutes",
)
_simple(
    re.compile(r"In which year was the lighthouse (?P<x>.{1,99}) built\?"),
    "year in which the lighthouse {x} was built",
    "",
)
_simple(
    re.compile(r"In which year was the (?P<x>.{1,99}) found\?"),
    "year in which the {x} was found",
    "",
)
_simple(re.compile(r"How many pupils does (?P<x>.{1,99}) have\?"), "pupils of {x}", "")
_simple(re.compile(r"How many pupils are there on (?P<x>.{1,99})\?"), "pupils on {x}", "")
_simple(
    re.compile(r"In (?P<m>\w+), how much rain fell on (?P<x>.{1,99})\?"),
    "rain on {x} in {m}",
    "mm",
)
_simple(
    re.compile(r"How much did the council spend on (?P<x>\w+) in (?P<y>\d{4})\?"),
    "spending on {x} in {y}",
    "crowns",
)
_simple(
    re.compile(r"How many MWh of wind power did (?P<x>.{1,99}) produce in (?P<y>\d{4})\?"),
    "wind power of {x} in {y}",
    "MWh",
)
_simple(
    re.compile(r"How many tonnes of (?P<x>\w+) were landed in (?P<m>\w+)\?"),
    "{x} landed in {m}",
    "tonnes",
)
_simple(
    re.compile(r"How many pairs of (?P<x>\w+) were there on all islands in (?P<y>\d{4})\?"),
    "pairs of {x} on all islands in {y}",
    "",
)


@_form(re.compile(r"How many kilograms does the (?P<x>.{1,99}) weigh\?"))
def _weigh(solver: Solver, x: str) -> str:
    return f"{solver.compute(solver.convert(f'weight of the {x}', '/ 1000'))} kg"


@_form(re.compile(r"How many kilograms of (?P<x>\w+) were landed in (?P<m>\w+)\?"))
def _land(solver: Solver, x: str, m: str) -> str:
    return f"{solver.compute(solver.convert(f'{x} landed in {m}', '* 1000'))} kg"


@_form(
    re.compile(
        r"By what percentage did the population of (?P<x>.{1,99}) change from "
        r"(?P<a>\d{4}) to (?P<b>\d{4})\?"
    )
)
def _change(solver: Solver, x: str, a: str, b: str) -> str:
    before, after = (solver.value(f"population of {x} in {year}") for year in (a, b))
    return f"{solver.compute(f'({after} - {before}) / {before} * 100')} %"


@_form(
    re.compile(
        r"How many people fewer lived on (?P<x>.{1,99}) in (?P<a>\d{4}) than in (?P<b>\d{4})\?"
    )
)
def _fewer(solver: Solver, x: str, a: str, b: str) -> str:
    after, before = (solver.value(f"population of {x} in {year}") for year in (a, b))
    return solver.compute(f"{before} - {after}")


@_form(
    re.compile(
        r"How much more did the council spend on (?P<x>\w+) in (?P<a>\d{4}) than in (?P<b>\d{4})\?"
    )
)
def _more(solver: Solver, x: str, a: str, b: str) -> str:
    after, before = (solver.value(f"spending on {x} in {year}") for year in (a, b))
    return f"{solver.compute(f'{after} - {before}')} crowns"


@_form(
    re.compile(
        r"What do (?P<adults>\d) adults and (?P<children>\d) child(?:ren)? pay for the ferry "
        r"from (?P<a>.{1,99}?) to (?P<b>.{1,99}?)(?P<back> and back)?\?"
    )
)
def _pay(solver: Solver, adults: str, children: str, a: str, b: str, back: str | None) -> str:
    adult, child = (solver.value(f"{who} fare from {a} to {b}") for who in ("adult", "child"))
    ways = " * 2" if back else ""
    return f"{solver.compute(f'({adults} * {adult} + {children} * {child}){ways}')} crowns"


@_form(
    re.compile(
        r"How many metres is the highest hill of (?P<x>.{1,99}) higher than the lighthouse there\?"
    )
)
def _higher(solver: Solver, x: str) -> str:
    hill = solver.value(f"height of the highest hill of {x}")
    return f"{solver.compute(f'{hill} - ' + solver.value(f'height of the lighthouse on {x}'))} m"


@_form(re.compile(r"How old was (?P<x>\w+ \w+) when the lighthouse on (?P<i>.{1,99}) was built\?"))
def _age(solver: Solver, x: str, i: str) -> str:
    built = solver.value(f"year in which the lighthouse on {i} was built")
    return solver.compute(f"{built} - " + solver.value(f"year in which {x} was born"))


@_form(re.compile(r"In (?P<y>\d{4}), how many people lived per km² on (?P<x>.{1,99})\?"))
def _density(solver: Solver, y: str, x: str) -> str:
    people = solver.value(f"population of {x} in {y}")
    return solver.compute(f"{people} / " + solver.value(f"area of {x}"))


@_form(
    re.compile(
        r"In (?P<y>\d{4}), how many kWh of wind power were produced per person on (?P<x>.{1,99}), "
        r"by the census of (?P<c>\d{4})\?"
    )
)
def _power(solver: Solver, y: str, x: str, c: str) -> str:
    power = solver.convert(f"wind power of {x} in {y}", "* 1000")
    return f"{solver.compute(f'{power} / ' + solver.value(f'population of {x} in {c}'))} kWh"


@_form(
    re.compile(
        r"How many crowns per person did the council spend on (?P<x>\w+) in (?P<y>\d{4}), "
        r"by the census of (?P<c>\d{4})\?"
    )
)
def _spend(solver: Solver, x: str, y: str, c: str) -> str:
    spent = solver.value(f"spending on {x} in {y}")
    people = solver.value(f"population of all islands in {c}")
    return f"{solver.compute(f'{spent} / {people}')} crowns"


@_form(
    re.compile(r"What percentage of the council's spending in (?P<y>\d{4}) went to (?P<x>\w+)\?")
)
def _share(solver: Solver, y: str, x: str) -> str:
    part, whole = (solver.value(f"spending {which}") for which in (f"on {x} in {y}", f"in {y}"))
    return f"{solver.compute(f'{part} / {whole} * 100')} %"


@_form(re.compile(r"What percentage of the wind power of (?P<y>\d{4}) came from (?P<x>.{1,99})\?"))
def _wind(solver: Solver, y: str, x: str) -> str:
    part = solver.value(f"wind power of {x} in {y}")
    whole = solver.value(f"wind power of all islands in {y}")
    return f"{solver.compute(f'{part} / {whole} * 100')} %"


@_form(re.compile(r"Which island had the most rain in (?P<m>\w+)\?"))
def _wettest(solver: Solver, m: str) -> str:
    what = f"island with the most rain in {m}"
    rows = solver.desk.list_rows(_of(what, WEATHER, Month=m), "Island", "Rain mm")
    return solver.desk.run(what, _TOTALS.format(rows=rows) + _MOST)


@_form(re.compile(r"Which island has the most pupils\?"))
def _most_pupils(solver: Solver) -> str:
    what = "island with the most pupils"
    rows = solver.desk.list_rows(_of(what, SCHOOLS), "Island", "Pupils")
    return solver.desk.run(what, _TOTALS.format(rows=rows) + _MOST)


@_form(re.compile(r"Which island has the fewest pupils per teacher\?"))
def _fewest_pupils(solver: Solver) -> str:
    what = "island with the fewest pupils per teacher"
    rows = solver.desk.list_rows(_of(what, SCHOOLS), "Island", "Pupils", "Teachers")
    code = (
        f"pupils, teachers = {{}}, {{}}\nfor island, learn, teach in {rows}:\n"
        "    pupils[island] = pupils.get(island, 0) + learn\n"
        "    teachers[island] = teachers.get(island, 0) + teach\n"
        "print(min(pupils, key=lambda island: pupils[island] / teachers[island]))"
    )
    return solver.desk.run(what, code)


@_form(re.compile(r"Which island had the most people per km² in (?P<y>\d{4})\?"))
def _densest(solver: Solver, y: str) -> str:
    what = f"island with the most people per km² in {y}"
    people = solver.desk.list_rows(_of(f"population by island in {y}", CENSUS, Year=y),
                                   "Island", "Population")  # fmt: skip
    areas = solver.desk.list_rows(_of("area by island", ISLANDS), "Island", "Area")
    code = (
        f"people = dict({people})\nareas = dict({areas})\n"
        "print(max(people, key=lambda island: people[island] / areas[island]))"
    )
    return solver.desk.run(what, code)


@_form(
    re.compile(
        r"List the islands with more than (?P<n>\d{1,9}) mm of rain in (?P<m>\w+), in "
        r"alphabetical order\."
    )
)
def _rainy(solver: Solver, n: str, m: str) -> str:
    what = f"islands with more than {n} mm of rain in {m}"
    rows = solver.desk.list_rows(_of(what, WEATHER, Month=m), "Island", "Rain mm")
    code = f"rows = {rows}\nprint(', '.join(sorted(name for name, mm in rows if mm > {n})))"
    return solver.desk.run(what, code)


@_form(
    re.compile(
        r"List the islands where (?P<a>\w+ \w+), (?P<b>\w+ \w+) and (?P<c>\w+ \w+) "
        r"were born, by their population in (?P<y>\d{4}), largest first\."
    )
)
def _birthplaces(solver: Solver, a: str, b: str, c: str, y: str) -> str:
    islands = [solver.value(f"island where {person} was born") for person in (a, b, c)]
    rows = [f"({i!r}, {solver.value(f'population of {i} in {y}')})" for i in islands]
    code = (
        f"rows = [{', '.join(rows)}]\nrows = sorted(rows, key=lambda row: -row[1])\n"
        "print(', '.join(name for name, _ in rows))"
    )
    return solver.desk.run(f"those islands by their population in {y}", code)


def _of(what: str, source: Source, **where: str) -> Lookup:
    return Lookup(what, source, where, "")
