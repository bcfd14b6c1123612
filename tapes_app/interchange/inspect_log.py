"""Writes logs of Inspect (`.eval`): a ZIP of JSON with a header, each sample and their summaries.

The layout is that of Inspect 0.3 (log version 2), which reads ZIP members with any usual
compression. It leaves out what a tape has besides its messages; docs/evaluation.md documents the
mapping.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from tapes_app.engine.model.messages import content_text
from tapes_app.engine.plain_json import dump_json_text
from tapes_app.engine.prompts.chat_messages import message_of_step
from tapes_app.engine.tape.steps import Step
from tapes_app.engine.tape.tape import Tape

VERSION = 2
_ROLES = {"system": "system", "developer": "system", "assistant": "assistant", "tool": "tool"}


@dataclass(frozen=True, slots=True)
class InspectSample:
    """One attempt at one task; `epoch` counts from 1."""

    id: str
    epoch: int
    tape: Tape
    kept_count: int
    """How many of its steps are the task."""

    target: str
    score: float | None
    """From 0 to 1; `None`: missing, so the sample has no score."""

    explanation: str
    error: str
    """Why its run failed; empty if it did not."""

    tokens: int
    seconds: float | None


@dataclass(frozen=True, slots=True)
class InspectLog:
    """What a log records about all of its samples."""

    task: str
    task_id: str
    model: str
    dataset: str
    scorer: str
    created_at: datetime
    epochs: int
    sample_ids: tuple[str, ...]
    is_finished: bool
    metadata: Mapping[str, Any]


def write_log(path: Path, log: InspectLog, samples: Iterable[InspectSample]) -> None:
    """Write a log; samples are consumed one at a time and not kept in memory."""
    summaries: list[dict[str, Any]] = []
    scores: list[float] = []
    with ZipFile(path, "w", ZIP_DEFLATED) as file:
        head = _head(log)
        file.writestr("_journal/start.json", dump_json_text(head))
        for sample in samples:
            body = _sample(log, sample)
            file.writestr(f"samples/{sample.id}_epoch_{sample.epoch}.json", dump_json_text(body))
            summaries.append(_summary(body))
            scores += [] if sample.score is None else [sample.score]
        file.writestr("summaries.json", dump_json_text(summaries))
        results = _results(log, scores, len(summaries))
        status = "success" if log.is_finished else "cancelled"
        file.writestr("header.json", dump_json_text({**head, "status": status, **results}))


def _head(log: InspectLog) -> dict[str, Any]:
    return {
        "version": VERSION,
        "eval": {
            "eval_id": log.task_id,
            "run_id": log.task_id,
            "created": log.created_at.isoformat(),
            "task": log.task,
            "task_id": log.task_id,
            "dataset": {
                "name": log.dataset,
                "samples": len(log.sample_ids),
                "sample_ids": list(log.sample_ids),
                "shuffled": False,
            },
            "model": log.model,
            "config": {"epochs": log.epochs},
            "metadata": dict(log.metadata),
        },
        "plan": {"name": "plan", "steps": [], "config": {}},
    }


def _results(log: InspectLog, scores: list[float], samples: int) -> dict[str, Any]:
    """Return the mean of all scores, under Inspect's name for it."""
    mean = {"name": "accuracy", "value": sum(scores) / len(scores)} if scores else None
    score = {
        "name": log.scorer,
        "scorer": log.scorer,
        "scored_samples": len(scores),
        "unscored_samples": samples - len(scores),
        "metrics": {} if mean is None else {"accuracy": mean},
    }
    total = len(log.sample_ids) * log.epochs
    return {
        "results": {"total_samples": total, "completed_samples": samples, "scores": [score]},
        "stats": {"started_at": log.created_at.isoformat(), "completed_at": ""},
    }


def _sample(log: InspectLog, sample: InspectSample) -> dict[str, Any]:
    steps, kept = sample.tape.steps, sample.kept_count
    task, work = list(_messages(steps[:kept])), list(_messages(steps[kept:]))
    answers = [message for message in work if message["role"] == "assistant"]
    answer = answers[-1] if answers else None
    choices = [] if answer is None else [{"message": answer, "stop_reason": "stop"}]
    completion = answer["content"] if answer else ""
    score = {"value": sample.score, "answer": completion, "explanation": sample.explanation}
    error = {"message": sample.error, "traceback": "", "traceback_ansi": ""}
    return {
        "id": sample.id,
        "epoch": sample.epoch,
        "input": task,
        "target": sample.target,
        "messages": [*task, *work],
        "output": {"model": log.model, "choices": choices, "completion": completion},
        "scores": {} if sample.score is None else {log.scorer: score},
        "metadata": {"tape_id": str(sample.tape.id), "came_to": sample.explanation},
        "model_usage": {log.model: {"total_tokens": sample.tokens}},
        **({} if sample.seconds is None else {"total_time": sample.seconds}),
        **({"error": error} if sample.error else {}),
    }


def _summary(body: dict[str, Any]) -> dict[str, Any]:
    named = ("id", "epoch", "input", "target", "scores", "metadata", "model_usage", "total_time")
    fields = {name: body[name] for name in named if name in body}
    error = {"error": body["error"]["message"]} if "error" in body else {}
    return {**fields, **error, "completed": True, "message_count": len(body["messages"])}


def _messages(steps: Iterable[Step]) -> Iterator[dict[str, Any]]:
    """Yield the messages of steps; steps that steer agents and have no text yield none."""
    for step in steps:
        message = message_of_step(step)
        if message is not None:
            yield _message(message)


def _message(message: dict[str, Any]) -> dict[str, Any]:
    """Return a chat-completions message in Inspect's form; of its parts only the text is kept."""
    role = _ROLES.get(message["role"], "user")
    converted = {"role": role, "content": content_text(message.get("content"), message["role"])}
    if role == "tool":
        names = (("tool_call_id", "tool_call_id"), ("function", "name"))
        return converted | {key: message[name] for key, name in names if message.get(name)}
    calls = message.get("tool_calls") if role == "assistant" else None
    return converted | ({"tool_calls": [_call(call) for call in calls]} if calls else {})


def _call(call: dict[str, Any]) -> dict[str, Any]:
    function = call.get("function") or {}
    text = function.get("arguments") or "{}"
    converted = {
        "id": call.get("id") or "",
        "function": function.get("name") or "",
        "type": "function",
    }
    try:
        arguments = json.loads(text)
    except ValueError as error:
        return {**converted, "arguments": {}, "parse_error": f"{text}\n{error}"}
    return {
        **converted,
        "arguments": arguments if isinstance(arguments, dict) else {"value": arguments},
    }
