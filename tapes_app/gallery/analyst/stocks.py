"""Share prices of the sample project: a frozen, made-up table and the two tools that read it."""

import csv
import re
from collections import Counter
from datetime import date
from functools import cache
from pathlib import Path

from tapes_app.engine.environment.tool_functions import tool

_FOLDER = Path(__file__).parent


@cache
def load_companies() -> dict[str, str]:
    """Return the names of the listed companies by symbol."""
    with (_FOLDER / "companies.csv").open(encoding="utf-8", newline="") as file:
        return {row["symbol"]: row["name"] for row in csv.DictReader(file)}


def find_companies(question: str) -> list[str]:
    """Return the companies that a question names, in the order of the table.

    The beginning of a name will do, if no other begins so.
    """
    names = load_companies().values()
    firsts = Counter(name.split()[0] for name in names)
    found = []
    for name in names:
        first = name.split()[0]
        wanted = first if firsts[first] == 1 else name
        if re.search(rf"\b{wanted}\b", question, re.IGNORECASE):
            found.append(name)
    return found


@cache
def _load_prices() -> dict[str, list[tuple[date, float]]]:
    prices: dict[str, list[tuple[date, float]]] = {symbol: [] for symbol in load_companies()}
    with (_FOLDER / "prices.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            day = date.fromisoformat(row["date"])
            for symbol, series in prices.items():
                series.append((day, float(row[symbol])))
    return prices


@tool
def get_stock_ticker(company_name: str) -> str:
    """Get the ticker symbol of a listed company.

    Args:
        company_name: name of the company, or the beginning of it
    """
    wanted = company_name.casefold().split()
    for symbol, name in load_companies().items():
        if wanted and name.casefold().split()[: len(wanted)] == wanted:
            return symbol
    known = ", ".join(sorted(load_companies().values()))
    raise ValueError(f"no listed company is named {company_name!r}; listed are {known}")


@tool
def get_stock_data(symbol: str, start_date: str, end_date: str) -> list[tuple[str, float]]:
    """Get weekly closing prices of a share in US dollars, oldest first.

    Args:
        symbol: ticker symbol, such as VMC
        start_date: first day, as YYYY-MM-DD
        end_date: last day, as YYYY-MM-DD
    """
    series = _load_prices().get(symbol.strip().upper())
    if series is None:
        known = ", ".join(sorted(load_companies()))
        raise ValueError(f"no share has the symbol {symbol!r}; known are {known}")
    start, end = _read_date(start_date), _read_date(end_date)
    if start > end:
        raise ValueError(f"start_date {start_date!r} lies after end_date {end_date!r}")
    found = [(day.isoformat(), price) for day, price in series if start <= day <= end]
    if not found:
        first, last = series[0][0], series[-1][0]
        raise ValueError(
            f"no prices between {start_date} and {end_date}; there are some from {first} to {last}"
        )
    return found


def _read_date(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ValueError(f"{text!r} is no day; write it as 2024-09-17") from None
