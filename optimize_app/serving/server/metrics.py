"""A server's counters, and their text for Prometheus."""

from collections import Counter
from dataclasses import dataclass, field

from optimize_app.serving.server.engine import Engine

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"


@dataclass
class RequestFigures:
    """Counted on the event loop."""

    by_model: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Requests by model and by how they ended: a finish reason, an error's code, `cancelled`."""
    seconds: float = 0.0
    first_token_seconds: float = 0.0
    first_tokens: int = 0
    last_asked: float = 0.0
    """On the event loop's clock."""


def write_metrics(requests: RequestFigures, engine: Engine) -> str:
    """Return all counters in Prometheus' text format."""
    figures = engine.figures
    ended = [
        f'tape_server_requests_total{{model="{_escape(model)}",end="{_escape(end)}"}} {count}'
        for (model, end), count in sorted(requests.by_model.items())
    ]
    total = sum(requests.by_model.values())
    parts = [
        _part("requests_total", "counter", "Requests that ended, by model and end.", *ended),
        _summary("request_seconds", "From request to end.", requests.seconds, total),
        _summary(
            "first_token_seconds", "From request to the first token.",
            requests.first_token_seconds, requests.first_tokens,
        ),
        _one("prompt_tokens_total", "counter", "Tokens of prompts read.", figures.prompt_tokens),
        _one("answer_tokens_total", "counter", "Tokens drawn.", figures.answer_tokens),
        _summary("batch_rows", "Rows of a pass.", figures.rows, figures.steps),
        _one("work_seconds_total", "counter", "Time that the engine worked.", figures.seconds),
        _one("waiting", "gauge", "Answers that wait for their turn.", engine.waiting),
        _one("running", "gauge", "Answers that are being written.", engine.running),
        _one("adapters", "gauge", "Adapters in memory.", figures.adapters),
    ]  # fmt: skip
    return "".join(parts)


def _one(name: str, kind: str, description: str, value: float) -> str:
    return _part(name, kind, description, f"tape_server_{name} {value:g}")


def _summary(name: str, description: str, total: float, count: int) -> str:
    return _part(
        name,
        "summary",
        description,
        f"tape_server_{name}_sum {total:g}",
        f"tape_server_{name}_count {count}",
    )


def _part(name: str, kind: str, description: str, *lines: str) -> str:
    head = (f"# HELP tape_server_{name} {description}", f"# TYPE tape_server_{name} {kind}")
    return "".join(f"{line}\n" for line in (*head, *lines))


def _escape(label: str) -> str:
    return label.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
