"""What a script sees of a page: its heading, tables and lists, and what it can act on."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

_LINE = re.compile(
    r"(?P<indent> *)- (?P<role>[a-z]+)(?: \[(?P<id>f?[0-9]*e[0-9]+)\])?"
    r"(?: (?P<name>\"(?:[^\"\\]|\\.)*\"))?(?P<marks>(?: \[[^\[\]]*\])*)(?::(?P<value> .*)?)?"
)
_BEGIN = re.compile(r"^Page: .*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Node:
    """A line of a tree."""

    role: str
    text: str
    """Its name; without one, its value."""

    id: str = ""
    value: str = ""
    is_selected: bool = False


@dataclass(frozen=True, slots=True)
class SeenPage:
    nodes: Sequence[Node]
    failure: str = ""
    """Why the last action could not be done; empty if it could."""

    @property
    def heading(self) -> str:
        return next((one.text for one in self.nodes if one.role == "heading"), "")

    @property
    def status(self) -> str:
        """What the page says was just done."""
        return next((one.text for one in self.nodes if one.role == "status"), "")

    def list_texts(self, role: str) -> list[str]:
        return [one.text for one in self.nodes if one.role == role]

    def find(self, role: str, text: str) -> Node | None:
        return next((one for one in self.nodes if one.role == role and one.text == text), None)

    def list_fields(self) -> list[str]:
        """Return the labels of all fields."""
        return [one.text for one in self.nodes if one.role in ("combobox", "textbox")]

    def read_field(self, label: str) -> tuple[Node | None, str, list[str]]:
        """Return a field with its value and its options; without options, text is typed."""
        fields = [at for at, one in enumerate(self.nodes) if one.role in ("combobox", "textbox")]
        found = next((at for at in fields if self.nodes[at].text == label), None)
        if found is None:
            return None, "", []
        options: list[Node] = []
        for one in self.nodes[found + 1 :]:
            if one.role != "option":
                break
            options.append(one)
        value = next((one.text for one in options if one.is_selected), self.nodes[found].value)
        return self.nodes[found], value, [one.text for one in options]

    def list_rows(self) -> list[Mapping[str, str]]:
        """Return the rows of the table by its columns."""
        columns = list(self._list_cells("columnheader"))
        cells = list(self._list_cells("cell"))
        if not columns or len(cells) % len(columns):
            return []
        starts = range(0, len(cells), len(columns))
        return [dict(zip(columns, cells[at : at + len(columns)], strict=True)) for at in starts]

    def _list_cells(self, role: str) -> Iterator[str]:
        """Yield the text of each cell; that of a cell with a link is on the line below."""
        for at, one in enumerate(self.nodes):
            if one.role == role:
                below = self.nodes[at + 1] if at + 1 < len(self.nodes) else None
                leads = not one.text and below is not None and below.role == "link"
                yield below.text if leads and below else one.text


def read_page(text: str) -> SeenPage | None:
    """Return the page in the answer of a tool; `None` if there is none."""
    begin = _BEGIN.search(text)
    if begin is None:
        return None
    failure = text[: begin.start()].strip()
    tree = text[begin.start() :].partition("\n\n")[2]
    found = map(_LINE.fullmatch, tree.splitlines())
    return SeenPage([_read_node(one) for one in found if one], failure.partition("\n")[0])


def _read_node(line: re.Match[str]) -> Node:
    name, value = _unquote(line["name"]), _unquote((line["value"] or "").strip())
    return Node(line["role"], name or value, line["id"] or "", value, "[selected]" in line["marks"])


def _unquote(text: str | None) -> str:
    if not text or not text.startswith('"'):
        return text or ""
    try:
        return str(json.loads(text))
    except ValueError:
        return text
