"""A tape as one HTML file that needs nothing else: no scripts, no addresses, no network."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any

from tapes_app.engine.messages import content_text
from tapes_app.interchange.html_elements import Html, element, join
from tapes_app.interchange.html_style import STYLE
from tapes_app.interchange.shared_tape import (
    FAMILY_WORDS,
    SharedCall,
    SharedStep,
    SharedTape,
    pretty_json,
    read_arguments,
)

_STYLE_HASH = base64.b64encode(sha256(STYLE.encode()).digest()).decode()
POLICY = (
    f"default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; img-src data:; "
    "base-uri 'none'; form-action 'none'"
)
_FOLDED_LINES = 12
_FOLDED_CHARACTERS = 2000
_SHORT = 60
_FIRST_LINE = 100
_IMAGE = re.compile(r"data:image/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+", re.ASCII)
_LARGEST_IMAGE = 8_000_000


def write_html(tape: SharedTape) -> Iterator[str]:
    """Give the page piece by piece: a long tape is never in memory as one text."""
    title = tape.title or "Untitled tape"
    yield "<!doctype html>\n"
    yield '<html lang="en">'
    yield element(
        "head",
        element("meta", charset="utf-8"),
        Html(f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="referrer", content="no-referrer"),
        element("title", f"{title} · Tape Studio"),
        element("style", Html(STYLE)),
    )
    yield "<body><main>"
    yield _head(title, tape)
    for step in tape.steps:
        yield _step(step)
        yield "\n"
    yield "</main></body></html>\n"


def _head(title: str, tape: SharedTape) -> Html:
    return element(
        "header",
        element("h1", title),
        _facts(tape.facts),
        element("p", tape.note, class_="note") if tape.note else None,
        _fold("Context", _value(tape.context)) if tape.context is not None else None,
        _fold("Metadata", _value(tape.metadata)) if tape.metadata else None,
    )


def _facts(facts: tuple[tuple[str, str], ...]) -> Html:
    pairs = (element("div", element("dt", name), element("dd", value)) for name, value in facts)
    return element("dl", *pairs, class_="facts")


def _step(step: SharedStep) -> Html:
    anchor = f"step-{step.position}"
    return element(
        "article",
        element(
            "h2",
            element("a", str(step.position), href=f"#{anchor}", class_="number"),
            element("span", FAMILY_WORDS[step.family], class_="family"),
            element("span", step.kind, class_="kind"),
            element("span", step.name, class_="by") if step.name else None,
        ),
        _fields(step.fields),
        _call(step.call) if step.call is not None else None,
        id=anchor,
        data_family=step.family,
    )


def _fields(fields: Mapping[str, Any]) -> Html:
    if not fields:
        return element("p", "No data", class_="quiet")
    return join(_field(name, value) for name, value in fields.items())


def _field(name: str, value: Any) -> Html:
    if name == "tool_calls" and isinstance(value, list | tuple) and value:
        return join(_tool_call(call) for call in value)
    label = element("span", name, class_="name")
    if _is_short(value):
        shown = value if isinstance(value, str) else pretty_json(value)
        return element("div", label, element("code", shown or "empty"), class_="pair")
    return element("div", label, _value(value), class_="field")


def _is_short(value: Any) -> bool:
    if isinstance(value, str):
        return len(value) <= _SHORT and "\n" not in value and not value.startswith("data:image/")
    return not isinstance(value, dict | list | tuple) or not value


def _value(value: Any) -> Html:
    if not isinstance(value, str):
        return _long_text(pretty_json(value), class_="json")
    if len(value) <= _LARGEST_IMAGE and _IMAGE.fullmatch(value):
        return element("img", src=value, alt="From the tape")
    return _long_text(value)


def _long_text(value: str, class_: str = "text") -> Html:
    # A browser drops the first line feed of a `pre`.
    start = "\n" if value.startswith("\n") else ""
    whole = element("pre", start + value, class_=class_)
    line_count = value.count("\n") + 1
    if line_count <= _FOLDED_LINES and len(value) <= _FOLDED_CHARACTERS:
        return whole
    first = value.lstrip().split("\n", 1)[0][:_FIRST_LINE]
    size = f"{line_count:,} lines" if line_count > 1 else f"{len(value):,} characters"
    return element(
        "details", element("summary", f"{first} … ", element("small", size)), whole
    )  # fmt: skip


def _fold(title: str, *content: str | None) -> Html:
    return element("details", element("summary", title), *content)


def _tool_call(call: Any) -> Html:
    function = call.get("function") if isinstance(call, dict) else None
    if not isinstance(function, dict):
        return _field("tool call", call)
    arguments = read_arguments(function.get("arguments"))
    is_named = isinstance(arguments, dict) and bool(arguments)
    return element(
        "div",
        element("div", element("span", "Calls ", class_="name"), element("code", _name(function))),
        _fields(arguments) if is_named else _value(arguments) if arguments else None,
        class_="call",
    )


def _name(function: dict[str, Any]) -> str:
    return str(function.get("name", ""))


def _call(call: SharedCall) -> Html:
    facts = ", ".join(f"{name} {value}" for name, value in call.facts)
    title = f"LLM call {call.model}".rstrip()
    return element(
        "details",
        element("summary", title, " ", element("small", facts)),
        element("p", call.error, class_="bad") if call.error else None,
        _shared(call),
        *(_message(message) for message in call.messages),
        _message({"role": "answer", **call.output}),
        _fold("Tools", _value(list(call.tools))) if call.tools else None,
        _fold("Parameters", _value(dict(call.parameters))) if call.parameters else None,
        class_="llm",
    )


def _shared(call: SharedCall) -> Html | None:
    if call.shared_count == 0 or call.previous is None:
        return None
    return element(
        "p",
        f"The first {call.shared_count:,} messages are those of ",
        element("a", f"the call at step {call.previous}", href=f"#step-{call.previous}"),
        ".",
        class_="quiet",
    )


def _message(message: Mapping[str, Any]) -> Html:
    content = message.get("content")
    is_text = isinstance(content, str) or content is None
    # Parts of a content that are no text would be lost in its words.
    words = content_text(content) if is_text else ""
    hidden = {"role", "content"} if is_text else {"role"}
    rest = {name: value for name, value in message.items() if name not in hidden and value}
    return element(
        "section",
        element("h3", str(message.get("role", ""))),
        _value(words) if words else None,
        _fields(rest) if rest else None,
    )
