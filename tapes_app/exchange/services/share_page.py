"""A tape as one self-contained HTML file: no scripts, no external addresses, no network."""

import base64
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from django.template.loader import render_to_string

from tapes_app.engine.model.messages import content_text
from tapes_app.engine.tape.media import has_media
from tapes_app.interchange.shared_tape import (
    FAMILY_WORDS,
    SharedCall,
    SharedTape,
    pretty_json,
    read_arguments,
    visible_text,
)

_STYLE = (Path(__file__).parents[2] / "templates" / "shared_tape.css").read_text()
# The policy contains the hash of our style, so that nothing in a tape can add another one.
_STYLE_HASH = base64.b64encode(sha256(_STYLE.encode()).digest()).decode()
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
    """Yield the page piece by piece, so that a long tape is never in memory as one text."""
    yield _render(
        "shared_tape.html",
        policy=POLICY,
        style=_STYLE,
        title=tape.title or "Untitled tape",
        facts=tape.facts,
        note=tape.note,
        folds=_folds(Context=tape.context, Metadata=tape.metadata or None),
    )
    for step in tape.steps:
        yield _render(
            "shared_step.html",
            step=step,
            family=FAMILY_WORDS[step.family],
            rows=_rows(step.fields),
            call=_call(step.call) if step.call is not None else None,
        )
    yield "</main></body></html>\n"


def _render(template: str, **context: Any) -> str:
    # Characters that hide or reorder text are not markup, so they can be made visible last.
    return visible_text(render_to_string(template, context))


class _Value:
    """A value that may be long."""

    def __init__(self, given: Any) -> None:
        is_text = isinstance(given, str)
        self.text = text = given if is_text else pretty_json(given)
        self.style = "text" if is_text else "json"
        self.is_image = is_text and len(text) <= _LARGEST_IMAGE and bool(_IMAGE.fullmatch(text))
        self.first = self.size = ""
        line_count = text.count("\n") + 1
        if line_count > _FOLDED_LINES or len(text) > _FOLDED_CHARACTERS:
            self.first = text.lstrip().split("\n", 1)[0][:_FIRST_LINE]
            self.size = f"{line_count:,} lines" if line_count > 1 else f"{len(text):,} characters"


def _folds(**values: Any) -> list[tuple[str, _Value]]:
    return [(name, _Value(value)) for name, value in values.items() if value is not None]


@dataclass(frozen=True)
class _Row:
    """A field of a step or a message, or one of its tool calls."""

    name: str
    short: str = ""
    value: _Value | None = None
    is_call: bool = False
    rows: tuple["_Row", ...] = ()


def _rows(fields: Mapping[str, Any], *, of_call: bool = False) -> tuple[_Row, ...]:
    rows: list[_Row] = []
    for name, value in fields.items():
        # Calls within the arguments of a call stay JSON: they may be nested without limit.
        if name == "tool_calls" and isinstance(value, list | tuple) and value and not of_call:
            rows += map(_tool_call, value)
        elif has_media(value):
            rows += [_row(name, _shown_part(part)) for part in value]
        else:
            rows.append(_row(name, value))
    return tuple(rows)


def _shown_part(part: Mapping[str, Any]) -> Any:
    """Return the text of a part, or the address of its image, which may be the image itself."""
    image = part.get("image_url")
    return part.get("text") or (image.get("url") if isinstance(image, dict) else image) or part


def _row(name: str, value: Any) -> _Row:
    if isinstance(value, str):
        is_short = (
            len(value) <= _SHORT and "\n" not in value and not value.startswith("data:image/")
        )
    else:
        is_short = not isinstance(value, dict | list | tuple) or not value
    if not is_short:
        return _Row(name, value=_Value(value))
    shown = value if isinstance(value, str) else pretty_json(value)
    return _Row(name, short=shown or "empty")


def _tool_call(call: Any) -> _Row:
    function = call.get("function") if isinstance(call, dict) else None
    if not isinstance(function, dict):
        return _row("tool call", call)
    name = str(function.get("name", ""))
    arguments = read_arguments(function.get("arguments"))
    if isinstance(arguments, dict):
        return _Row(name, is_call=True, rows=_rows(arguments, of_call=True))
    return _Row(name, is_call=True, value=_Value(arguments) if arguments else None)


def _call(call: SharedCall) -> dict[str, Any]:
    return {
        "title": f"LLM call {call.model}".rstrip(),
        "facts": ", ".join(f"{name} {value}" for name, value in call.facts),
        "error": call.error,
        "shared_count": f"{call.shared_count:,}" if call.shared_count else "",
        "previous": call.previous,
        "messages": [
            _message(message) for message in (*call.messages, {"role": "answer", **call.output})
        ],
        "folds": _folds(Tools=list(call.tools) or None, Parameters=dict(call.parameters) or None),
    }


def _message(message: Mapping[str, Any]) -> dict[str, Any]:
    content = message.get("content")
    is_text = isinstance(content, str) or content is None
    # Parts of a content that are not text would be lost in its text.
    words = content_text(content) if is_text else ""
    hidden = {"role", "content"} if is_text else {"role"}
    rest = {name: value for name, value in message.items() if name not in hidden and value}
    return {
        "role": str(message.get("role", "")),
        "words": _Value(words) if words else None,
        "rows": _rows(rest),
    }
