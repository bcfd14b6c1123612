"""The events of a streamed response: an item that begins, its pieces, and its end."""

from collections.abc import Iterator, Sequence
from typing import Any

from tapes_app.runs.domain.response_items import AnswerPlace, Item, to_item, to_part

Event = dict[str, Any]


def begin_text(place: AnswerPlace) -> Iterator[Event]:
    """Yield what comes before the first words."""
    item = {**to_item(place, ""), "status": "in_progress", "content": []}
    yield {"type": "response.output_item.added", "output_index": 0, "item": item}
    yield {"type": "response.content_part.added", **_at(item), "part": to_part("")}


def add_text(place: AnswerPlace, words: str, *, is_first: bool) -> Iterator[Event]:
    """Yield the event of more words."""
    if is_first:
        yield from begin_text(place)
    at = _at(to_item(place, ""))
    yield {"type": "response.output_text.delta", **at, "delta": words, "logprobs": []}


def end_text(item: Item) -> Iterator[Event]:
    """Yield what comes after the last words of an item."""
    (part,) = item["content"]
    text = {"text": part["text"], "logprobs": []}
    yield {"type": "response.output_text.done", **_at(item), **text}
    yield {"type": "response.content_part.done", **_at(item), "part": part}
    yield {"type": "response.output_item.done", "output_index": 0, "item": item}


def write_calls(items: Sequence[Item]) -> Iterator[Event]:
    """Yield the events of calls, which are sent when they are complete."""
    for index, item in enumerate(items):
        at = {"output_index": index, "item_id": item["id"]}
        written = {"arguments": item["arguments"]}
        started = {**item, "arguments": "", "status": "in_progress"}
        yield {"type": "response.output_item.added", "output_index": index, "item": started}
        yield {
            "type": "response.function_call_arguments.delta",
            **at,
            "delta": item["arguments"],
        }
        yield {
            "type": "response.function_call_arguments.done",
            **at,
            "name": item["name"],
            **written,
        }
        yield {"type": "response.output_item.done", "output_index": index, "item": item}


def _at(item: Item) -> dict[str, Any]:
    return {"item_id": item["id"], "output_index": 0, "content_index": 0}
