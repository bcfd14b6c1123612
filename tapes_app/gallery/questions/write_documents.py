"""Writes those documents of the Lune Islands that nobody writes by hand, the same by seed.

Run `python -m tapes_app.gallery.questions.write_documents` after a change, and commit the files.
"""

import csv
import random
from collections.abc import Iterable, Sequence
from pathlib import Path

from openpyxl import Workbook

FOLDER = Path(__file__).parent / "documents"
ISLANDS = ("Ostra", "Kelding", "Brae", "Tarn", "Merrow", "Skell")
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip

_SEED = 36
_LANDINGS = 90
_WEATHER = ("Island", "Month", "Rain mm", "Mean °C")
_LANDING = ("Day", "Month", "Ship", "Cargo", "Tonnes")
_CARGOES = ("timber", "salt", "flour", "coal", "lime", "wool")
_SHIPS = ("Constance", "Petrel", "Maud Ellis", "Northern Light", "Sea Pink")
_WINDIEST = (1_940, 3_120, 1_275, 860, 2_410, 430)
"""MWh of wind power in a usual year, by island."""

_ADULT_FARES = {
    ("Ostra", "Kelding"): (9.50, 40),
    ("Ostra", "Brae"): (11.00, 50),
    ("Ostra", "Tarn"): (12.50, 55),
    ("Ostra", "Merrow"): (16.00, 75),
    ("Ostra", "Skell"): (14.50, 70),
    ("Kelding", "Brae"): (7.00, 25),
    ("Kelding", "Tarn"): (8.50, 35),
    ("Brae", "Merrow"): (10.50, 45),
    ("Tarn", "Skell"): (6.50, 20),
    ("Merrow", "Skell"): (13.00, 60),
}
"""Crowns and minutes, in either direction; children pay two fifths."""

_BUDGET = {
    "roads": (1_180_000, 1_312_000),
    "schools": (2_460_000, 2_595_000),
    "harbours": (1_745_000, 1_610_000),
    "health": (3_020_000, 3_204_000),
    "libraries": (210_000, 236_000),
    "lighthouses": (385_000, 402_000),
}
"""Crowns spent in 2023 and in 2024."""


def write_documents(folder: Path) -> None:
    """Write the documents into a folder."""
    chance = random.Random(_SEED)  # noqa: S311 - to repeat, not a secret
    _write_csv(folder / "weather-2024.csv", _WEATHER, _make_weather(chance))
    _write_csv(folder / "harbour-log-2024.csv", _LANDING, _list_landings(chance))
    _write_book(folder / "ferries.xlsx", "Ferries of the Lune Islands", {"Fares": _list_fares()})
    _write_book(folder / "power.xlsx", "Electric power", {"Production": _list_power(chance)})
    lines = [
        f"In {year} the council spent {spent:,} crowns on {item}."
        for at, year in enumerate((2023, 2024))
        for item, both in _BUDGET.items()
        for spent in (both[at],)
    ]
    pdf = _make_pdf(["Annual report of the island council", "", *lines])
    (folder / "council-report.pdf").write_bytes(pdf)


def _make_weather(chance: random.Random) -> Iterable[Sequence[object]]:
    for island in ISLANDS:
        for number, month in enumerate(MONTHS):
            is_winter = abs(number - 6) > 3  # noqa: PLR2004 - October to March
            rain = chance.randint(70, 160) if is_winter else chance.randint(25, 95)
            yield island, month, rain, round(12 - 1.4 * abs(number - 6) + chance.random(), 1)


def _list_landings(chance: random.Random) -> Iterable[Sequence[object]]:
    days = sorted((chance.randrange(12), chance.randint(1, 28)) for _ in range(_LANDINGS))
    for month, day in days:
        tonnes = round(chance.uniform(2, 60), 1)
        yield day, MONTHS[month], chance.choice(_SHIPS), chance.choice(_CARGOES), tonnes


def _list_fares() -> Iterable[Sequence[object]]:
    yield "From", "To", "Adult crowns", "Child crowns", "Minutes"
    for ways, (adult, minutes) in _ADULT_FARES.items():
        for start, end in (ways, ways[::-1]):
            yield start, end, adult, round(adult * 2 / 5, 2), minutes


def _list_power(chance: random.Random) -> Iterable[Sequence[object]]:
    yield "Year", "Island", "Source", "MWh"
    for year in (2023, 2024):
        for island, usual in zip(ISLANDS, _WINDIEST, strict=True):
            yield year, island, "wind", round(usual * chance.uniform(0.9, 1.15))
            yield year, island, "tide", round(usual * chance.uniform(0.2, 0.4))


def _write_csv(path: Path, head: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(head)
        writer.writerows(rows)


def _write_book(path: Path, title: str, sheets: dict[str, Iterable[Sequence[object]]]) -> None:
    book = Workbook()
    book.remove(book.worksheets[0])
    for sheet, rows in sheets.items():
        page = book.create_sheet(sheet)
        for row in rows:
            page.append(list(row))
    book.properties.title = title
    book.save(path)


def _make_pdf(lines: Sequence[str]) -> bytes:
    """Return a PDF of one page of plain lines."""
    shown = "\n".join(f"({line}) Tj T*" for line in lines)
    stream = f"BT /F1 11 Tf 15 TL 60 780 Td\n{shown}\nET"
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R "
        "/Resources << /Font << /F1 5 0 R >> >> >>",
        f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        f"<< /Title ({lines[0]}) >>",
    ]
    text, places = "%PDF-1.4\n", []
    for number, body in enumerate(objects, start=1):
        places.append(len(text))
        text += f"{number} 0 obj\n{body}\nendobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    size = len(objects) + 1
    text += f"xref\n0 {size}\n0000000000 65535 f \n{table}"
    end = f"trailer << /Size {size} /Root 1 0 R /Info 6 0 R >>\nstartxref\n{text.index('xref')}"
    return f"{text}{end}\n%%EOF\n".encode("ascii")


if __name__ == "__main__":
    write_documents(FOLDER)
