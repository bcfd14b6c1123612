"""What may stand around a number: a currency, a percent sign, a unit, a word such as `million`."""

import re

_CURRENCIES = (
    "$ us$ usd dollar dollars",
    "€ eur euro euros",
    "£ gbp",
    "¥ jpy cny yen yuan",
    "₹ inr rupee rupees",
    "₩ krw won",
    "chf franc francs",
    "₽ rub",
    "cent cents",
    "crown crowns",
)
_PERCENT = ("% percent pct",)
_UNITS = (
    "mm millimetre millimeter millimetres millimeters",
    "cm centimetre centimeter centimetres centimeters",
    "m metre meter metres meters",
    "km kilometre kilometer kilometres kilometers",
    "mi mile miles",
    "ft foot feet",
    "inch inches",
    "yd yard yards",
    "m^2 m2",
    "cm^2 cm2",
    "km^2 km2",
    "m^3 m3",
    "cm^3 cm3",
    "mg milligram milligrams",
    "g gram grams",
    "kg kilogram kilograms",
    "t tonne tonnes",
    "lb lbs",
    "oz ounce ounces",
    "ml mL millilitre milliliter millilitres milliliters",
    "l L litre liter litres liters",
    "ms millisecond milliseconds",
    "s sec second seconds",
    "min minute minutes",
    "h hr hour hours",
    "day days",
    "week weeks",
    "month months",
    "year years",
    "° degree degrees",
    "°C",
    "°F",
    "K kelvin",
    "m/s",
    "km/h kmh",
    "mph",
    "Hz hertz",
    "kHz",
    "MHz",
    "GHz",
    "N newton newtons",
    "J joule joules",
    "kJ",
    "W watt watts",
    "kW",
    "MW",
    "Wh",
    "kWh",
    "MWh",
    "GWh",
    "V volt volts",
    "A ampere amperes",
    "Pa pascal pascals",
    "kPa",
    "mol",
    "byte bytes",
    "kB KB kilobyte kilobytes",
    "MB megabyte megabytes",
    "GB gigabyte gigabytes",
    "TB terabyte terabytes",
)
"""Each with its other spellings. Words that are not here may change a number: 5 dozen is not 5."""

_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_SCALE = re.compile(rf" ?({'|'.join(_SCALES)})(?![a-z])", re.IGNORECASE)
_SHORTEST_WORD = 3
"""Case counts in shorter marks: `m` and `M`, `ms` and `MS`."""


def _by_spelling(lines: tuple[str, ...]) -> dict[str, str]:
    return {spelling: line.split()[0] for line in lines for spelling in line.split()}


_MONEY = _by_spelling(_CURRENCIES)
_MEASURES = _by_spelling(_UNITS)
_MARKS = {**_MONEY, **_by_spelling(_PERCENT), **_MEASURES}
_SIGNS = sorted((sign for sign in _MONEY if len(sign) <= _SHORTEST_WORD), key=len, reverse=True)
CURRENCY_IN_FRONT = "|".join(map(re.escape, _SIGNS))
"""A regular expression, to be used ignoring case."""


def read_currency(text: str) -> str:
    """Return the currency that `CURRENCY_IN_FRONT` has found; empty for an empty text."""
    return _MONEY.get(text.casefold(), "")


def find_mark(text: str) -> str | None:
    """Return the mark that stands behind a number; `None` if it is anything else."""
    bare = text.strip()
    if not bare:
        return ""
    folded = bare.casefold()
    if len(bare) >= _SHORTEST_WORD or folded in _MONEY:
        return _MARKS.get(bare) or _MARKS.get(folded.replace("per cent", "percent"))
    return _MARKS.get(bare)


def find_scale(text: str) -> tuple[int, str]:
    """Return by what a word behind a number multiplies it, and the text behind that word."""
    found = _SCALE.match(text)
    return (_SCALES[found.group(1).casefold()], text[found.end() :]) if found else (1, text)


def may_convert(one: str, other: str) -> bool:
    """Return whether two marks are units of measure, so that their numbers may differ."""
    return one in _MEASURES and other in _MEASURES
