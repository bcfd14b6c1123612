"""The kinds of documents that the script knows, and the phrases that name a fact in one of them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

Pick = Literal["one", "sum", "most"]


@dataclass(frozen=True, slots=True)
class Source:
    """A kind of document: how to search for it, and how its text is read as rows."""

    query: str
    columns: tuple[str, ...] = ()
    """Of a table."""

    pattern: str = ""
    """Of prose: each match is a row, its groups are the columns."""


@dataclass(frozen=True, slots=True)
class Lookup:
    """One fact to find: the value of a column in the rows that fit."""

    what: str
    source: Source
    where: Mapping[str, str]
    column: str
    pick: Pick = "one"
    by: str = ""
    """For `most`, the column whose largest value decides."""


CENSUS = Source("census population of islands by year", ("Island", "Year", "Population"))
ISLANDS = Source(
    "island covers km² highest hill",
    pattern=r"(?P<Island>\w+) covers (?P<Area>[\d.]+) km²\. The highest hill of \w+ is [\w ]+? "
    r"with (?P<Height>\d+) m",
)
PEOPLE = Source(
    "people of the islands, when and where born",
    pattern=r"(?P<Person>\w+ \w+), an? [\w ]+, was born in (?P<Born>\d{4}) on (?P<Island>\w+)",
)
LIGHTS = Source(
    "lighthouse height built keeper", ("Lighthouse", "Island", "Height m", "Year built")
)
FARES = Source("ferries fares adult child minutes", ("From", "To", "Adult crowns", "Child crowns"))
WEATHER = Source("weather rain mm month", ("Island", "Month", "Rain mm"))
LANDINGS = Source("harbour log ship cargo tonnes", ("Month", "Cargo", "Tonnes"))
POWER = Source("electric power production wind tide", ("Year", "Island", "Source", "MWh"))
SPENDING = Source(
    "annual report council spent crowns",
    pattern=r"In (?P<Year>\d{4}) the council spent (?P<Crowns>[\d,]+) crowns on (?P<Item>\w+)",
)
MUSEUM = Source(
    "museum on show weighs found",
    pattern=r"The (?P<Object>[\w ]+) weighs (?P<Grams>[\d,]+) g and was found on (?P<Island>\w+) "
    r"in (?P<Found>\d{4})",
)
SCHOOLS = Source("schools pupils teachers", ("School", "Island", "Pupils", "Teachers"))
BIRDS = Source("birds species pairs puffin", ("Species", "Island", "Year", "Pairs"))


class Phrase(NamedTuple):
    """Words that name a fact; the groups are columns and the values that they have in its row."""

    pattern: re.Pattern[str]
    source: Source
    column: str
    pick: Pick
    by: str


def _phrase(
    pattern: str, source: Source, column: str, pick: Pick = "one", *, by: str = ""
) -> Phrase:
    return Phrase(re.compile(pattern), source, column, pick, by)


PHRASES: Sequence[Phrase] = (
    _phrase(r"population of all islands in (?P<Year>\d+)", CENSUS, "Population", "sum"),
    _phrase(r"population of (?P<Island>.+) in (?P<Year>\d+)", CENSUS, "Population"),
    _phrase(r"area of (?P<Island>.+)", ISLANDS, "Area"),
    _phrase(r"height of the highest hill of (?P<Island>.+)", ISLANDS, "Height"),
    _phrase(r"island with the highest hill", ISLANDS, "Island", "most", by="Height"),
    _phrase(r"island where (?P<Person>\w+ \w+) was born", PEOPLE, "Island"),
    _phrase(r"year in which (?P<Person>\w+ \w+) was born", PEOPLE, "Born"),
    _phrase(r"height of the lighthouse on (?P<Island>.+)", LIGHTS, "Height m"),
    _phrase(r"height of the lighthouse (?P<Lighthouse>.+)", LIGHTS, "Height m"),
    _phrase(r"year in which the lighthouse on (?P<Island>.+) was built", LIGHTS, "Year built"),
    _phrase(r"year in which the lighthouse (?P<Lighthouse>.+) was built", LIGHTS, "Year built"),
    _phrase(r"island with the lighthouse (?P<Lighthouse>.+)", LIGHTS, "Island"),
    _phrase(r"adult fare from (?P<From>.+) to (?P<To>.+)", FARES, "Adult crowns"),
    _phrase(r"child fare from (?P<From>.+) to (?P<To>.+)", FARES, "Child crowns"),
    _phrase(r"minutes from (?P<From>.+) to (?P<To>.+)", FARES, "Minutes"),
    _phrase(r"rain on (?P<Island>.+) in (?P<Month>\w+)", WEATHER, "Rain mm"),
    _phrase(r"(?P<Cargo>\w+) landed in (?P<Month>\w+)", LANDINGS, "Tonnes", "sum"),
    _phrase(r"(?P<Source>wind) power of all islands in (?P<Year>\d+)", POWER, "MWh", "sum"),
    _phrase(r"(?P<Source>wind) power of (?P<Island>.+) in (?P<Year>\d+)", POWER, "MWh"),
    _phrase(r"spending on (?P<Item>\w+) in (?P<Year>\d+)", SPENDING, "Crowns"),
    _phrase(r"spending in (?P<Year>\d+)", SPENDING, "Crowns", "sum"),
    _phrase(r"weight of the (?P<Object>.+)", MUSEUM, "Grams"),
    _phrase(r"year in which the (?P<Object>.+) was found", MUSEUM, "Found"),
    _phrase(r"island where the (?P<Object>.+) was found", MUSEUM, "Island"),
    _phrase(r"pupils of (?P<School>.+ School)", SCHOOLS, "Pupils"),
    _phrase(r"pupils on (?P<Island>.+)", SCHOOLS, "Pupils", "sum"),
    _phrase(r"pairs of (?P<Species>\w+)s on all islands in (?P<Year>\d+)", BIRDS, "Pairs", "sum"),
)
