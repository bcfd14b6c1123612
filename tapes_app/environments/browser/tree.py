"""What a model reads of a page: its accessibility tree, with ids for what can be acted on."""

import json
import re
from collections.abc import Collection, Iterator
from typing import Annotated

from pydantic import StringConstraints

ELEMENT_ID = r"^(f[0-9]{1,5})?e[0-9]{1,7}$"
ElementId = Annotated[str, StringConstraints(pattern=ELEMENT_ID)]
"""An element as the tree of its page names it."""

_ACTED_ON = frozenset(
    {"button", "checkbox", "combobox", "gridcell", "link", "listbox", "menuitem"}
    | {"menuitemcheckbox", "menuitemradio", "option", "radio", "scrollbar", "searchbox", "slider"}
    | {"spinbutton", "switch", "tab", "textbox", "treeitem"}
)
_QUOTED = re.compile(r"- '((?:[^']|'')*)'(:?)")
"""YAML puts what has a colon in it into quotes, and doubles those inside."""

_NODE = re.compile(
    r"- (?P<role>[a-z]+)(?P<name> \"(?:[^\"\\]|\\.)*\")?"
    r"(?P<marks>(?: \[[^\[\]]*\])*)(?P<value>:.*)?"
)
_REF = re.compile(r" \[ref=(?P<id>(?:f[0-9]{1,5})?e[0-9]{1,7})\]")
_POINTER = " [cursor=pointer]"
_ACTIVE = " [active]"
_LONGEST_LINE = 600
"""Characters of one node."""

HIDDEN_VALUE = "••••"


def write_tree(snapshot: str, secrets: Collection[str] = ()) -> str:
    """Return the tree of Playwright's snapshot as short as it can be without losing anything.

    Nodes that only group others are left out, and ids of what cannot be acted on. `secrets` are
    values of fields that show none on the page; they are not shown here either.
    """
    hidden = {form for secret in secrets for form in _write_values(secret)}
    lines: list[str] = []
    levels: list[tuple[int, int]] = []
    """Indentation in the snapshot, and here, of the nodes around the next line."""

    for line in snapshot.splitlines():
        body = line.lstrip(" ")
        depth = len(line) - len(body)
        while levels and levels[-1][0] >= depth:
            levels.pop()
        level = levels[-1][1] if levels else 0
        if written := _write_node(body, hidden):
            lines.append("  " * level + _shorten(written))
            level += 1
        levels.append((depth, level))
    return "\n".join(lines)


def _write_node(body: str, hidden: Collection[str]) -> str:
    """Return a node without what says nothing; empty if it only groups others."""
    quoted = _QUOTED.fullmatch(body)
    if quoted is not None:
        body = "- " + quoted[1].replace("''", "'") + quoted[2]
    found = _NODE.fullmatch(body)
    if found is None:
        return body
    role, name, marks = found["role"], found["name"] or "", found["marks"]
    value = found["value"] or ""
    ref = _REF.search(marks)
    is_acted_on = role in _ACTED_ON or _POINTER in marks
    shown = f" [{ref['id']}]" if ref is not None and is_acted_on else ""
    marks = _REF.sub("", marks.replace(_POINTER, ""))
    if role == "generic" and not (name or shown or marks.replace(_ACTIVE, "")):
        if value in ("", ":"):
            return ""
        role, marks = "text", ""
    if role == "textbox" and value.removeprefix(": ") in hidden:
        value = f": {HIDDEN_VALUE}"
    return f"- {role}{shown}{name}{marks}{value}"


def _write_values(secret: str) -> tuple[str, str]:
    """Return how a snapshot writes a value: as it is, or in quotes."""
    value = " ".join(secret.split())
    return value, json.dumps(value, ensure_ascii=False)


def _shorten(line: str) -> str:
    return line if len(line) <= _LONGEST_LINE else f"{line[:_LONGEST_LINE]} …"


def cut_tree(tree: str, most: int, start: int = 0) -> str:
    """Return a part of a tree that begins at a line and has at most some characters.

    `start` is the first line, from 0. A part that is not all says which lines it has.
    """
    lines = tree.splitlines()
    if start and start >= len(lines):
        return f"[There is no line {start}; the page has {len(lines)}.]"
    shown = list(_take(lines[start:], most))
    text = "\n".join(shown)
    end = start + len(shown)
    if start == 0 and end == len(lines):
        return text or "[The page is empty.]"
    more = f" Call read_page with start={end} for the rest." if end < len(lines) else ""
    return f"{text}\n[Lines {start} to {end - 1} of {len(lines)}.{more}]".lstrip("\n")


def _take(lines: list[str], most: int) -> Iterator[str]:
    left = most
    for place, line in enumerate(lines):
        left -= len(line) + 1
        if left < 0 and place:
            return
        yield line
