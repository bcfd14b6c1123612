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

    pattern: re.Pattern[str] | None = None
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
    pattern=re.compile(
        r"(?P<Island>\w{1,40}) covers (?P<Area>[\d.]{1,15}) km²\. The highest hill of \w{1,40} "
        r"is [\w ]{1,40}? with (?P<Height>\d{1,9}) m"
    ),
)
PEOPLE = Source(
    "people of the islands, when and where born",
    pattern=re.compile(
        r"(?P<Person>\w{1,20} \w{1,20}), an? [\w ]{1,40}, was born in (?P<Born>\d{4}) on "
        r"(?P<Island>\w{1,40})"
    ),
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
    pattern=re.compile(
        r"In (?P<Year>\d{4}) the council spent (?P<Crowns>[\d,]{1,15}) crowns on (?P<Item>\w{1,40})"
    ),
)
MUSEUM = Source(
    "museum on show weighs found",
    pattern=re.compile(
        r"The (?P<Object>[\w ]{1,40}) weighs (?P<Grams>[\d,]{1,15}) g and was found on "
        r"(?P<Island>\w{1,40}) in (?P<Found>\d{4})"
    ),
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
    pattern: re.Pattern[str], source: Source, column: str, pick: Pick = "one", *, by: str = ""
) -> Phrase:
    return Phrase(pattern, source, column, pick, by)


PHRASES: Sequence[Phrase] = (
    _phrase(
        re.compile(r"population of all islands in (?P<Year>\d{4})"), CENSUS, "Population", "sum"
    ),
    _phrase(
        re.compile(r"population of (?P<Island>.{1,99}) in (?P<Year>\d{4})"), CENSUS, "Population"
    ),
    _phrase(re.compile(r"area of (?P<Island>.{1,99})"), ISLANDS, "Area"),
    _phrase(re.compile(r"height of the highest hill of (?P<Island>.{1,99})"), ISLANDS, "Height"),
    _phrase(re.compile(r"island with the highest hill"), ISLANDS, "Island", "most", by="Height"),
    _phrase(re.compile(r"island where (?P<Person>\w+ \w+) was born"), PEOPLE, "Island"),
    _phrase(re.compile(r"year in which (?P<Person>\w+ \w+) was born"), PEOPLE, "Born"),
    _phrase(re.compile(r"height of the lighthouse on (?P<Island>.{1,99})"), LIGHTS, "Height m"),
    _phrase(re.compile(r"height of the lighthouse (?P<Lighthouse>.{1,99})"), LIGHTS, "Height m"),
    _phrase(
        re.compile(r"year in which the lighthouse on (?P<Island>.{1,99}) was built"),
        LIGHTS,
        "Year built",
    ),
    _phrase(
        re.compile(r"year in which the lighthouse (?P<Lighthouse>.{1,99}) was built"),
        LIGHTS,
        "Year built",
    ),
    _phrase(re.compile(r"island with the lighthouse (?P<Lighthouse>.{1,99})"), LIGHTS, "Island"),
    _phrase(
        re.compile(r"adult fare from (?P<From>.{1,99}) to (?P<To>.{1,99})"), FARES, "Adult crowns"
    ),
    _phrase(
        re.compile(r"child fare from (?P<From>.{1,99}) to (?P<To>.{1,99})"), FARES, "Child crowns"
    ),
    _phrase(re.compile(r"minutes from (?P<From>.{1,99}) to (?P<To>.{1,99})"), FARES, "Minutes"),
    _phrase(re.compile(r"rain on (?P<Island>.{1,99}) in (?P<Month>\w+)"), WEATHER, "Rain mm"),
    _phrase(re.compile(r"(?P<Cargo>\w{1,40}) landed in (?P<Month>\w+)"), LANDINGS, "Tonnes", "sum"),
    _phrase(
        re.compile(r"(?P<Source>wind) power of all islands in (?P<Year>\d{4})"),
        POWER,
        "MWh",
        "sum",
    ),
    _phrase(
        re.compile(r"(?P<Source>wind) power of (?P<Island>.{1,99}) in (?P<Year>\d{4})"),
        POWER,
        "MWh",
    ),
    _phrase(re.compile(r"spending on (?P<Item>\w+) in (?P<Year>\d{4})"), SPENDING, "Crowns"),
    _phrase(re.compile(r"spending in (?P<Year>\d{4})"), SPENDING, "Crowns", "sum"),
    _phrase(re.compile(r"weight of the (?P<Object>.{1,99})"), MUSEUM, "Grams"),
    _phrase(re.compile(r"year in which the (?P<Object>.{1,99}) was found"), MUSEUM, "Found"),
    _phrase(re.compile(r"island where the (?P<Object>.{1,99}) was found"), MUSEUM, "Island"),
    _phrase(re.compile(r"pupils of (?P<School>.{1,40} School)"), SCHOOLS, "Pupils"),
    _phrase(re.compile(r"pupils on (?P<Island>.{1,99})"), SCHOOLS, "Pupils", "sum"),
    _phrase(
        re.compile(r"pairs of (?P<Species>\w+)s on all islands in (?P<Year>\d{4})"),
        BIRDS,
        "Pairs",
        "sum",
    ),
)
