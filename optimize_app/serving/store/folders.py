"""Folders of servers: preparing them, linking adapters into them, reading them."""

import json
import secrets
import sys
from collections.abc import Collection, Iterable, Mapping
from itertools import islice
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings

from optimize_app import shared_bases as bases
from optimize_app.finetune.store.adapters import load_adapter
from optimize_app.finetune.store.runs import open_result
from optimize_app.finetune.trainer.run_folder import write_json
from optimize_app.serving.server.server_folder import ServerFolder
from optimize_app.serving.store.served import ServedRecord
from optimize_app.training_sets.store.sets import HELD_OUT_FILE, TRAIN_FILE, load_set, open_folder
from tapes_app.engine.errors import ConflictError
from tapes_app.jobs.store.job import Job

FINETUNED = "finetune:"
_PROBED_CALLS = 5
_PLAIN_CALL = {"messages": [{"role": "user", "content": "What is the sum of 2 and 3?"}]}


def server_folder(job_id: UUID) -> ServerFolder:
    """Return the folder of a server."""
    return ServerFolder(Path(settings.STUDIO_DATA_DIR) / "servers" / str(job_id))


def find_weights(base: str, project_id: UUID) -> str:
    """Return where a base is loaded from: a folder, or a name on the hub.

    Raises:
        InvalidInputError: there is no such base.
        ConflictError: it is a finetune of all weights whose folder was deleted.
    """
    if not base.startswith(FINETUNED):
        return bases.find(base, project_id)
    folder = open_result(UUID(base.removeprefix(FINETUNED)), "model")
    if not folder.is_dir():
        raise ConflictError("The folder of this finetune was deleted; train it again.", base=base)
    return str(folder)


def prepare_server(job: Job, base: str, served_name: str) -> ServerFolder:
    """Make the folder of a server, unless an earlier attempt has made it."""
    folder = server_folder(job.id)
    if folder.config_file.is_file():
        return folder
    folder.path.mkdir(mode=0o700, parents=True, exist_ok=True)
    find = find_weights if base.startswith(FINETUNED) else bases.load
    config = {
        "base": find(base, job.project_id),
        "served_name": served_name,
        "host": "127.0.0.1",
        "port": 0,
        "api_key": secrets.token_urlsafe(24),
    }
    write_json(folder.config_file, config)
    return folder


def server_command(folder: ServerFolder) -> list[str]:
    """Return the command that starts a folder's server: our own program, or vLLM if available."""
    if settings.STUDIO_VLLM:
        program = ["optimize_app.serving.vllm", settings.STUDIO_VLLM]
    else:
        program = ["optimize_app.serving"]
    return [sys.executable, "-m", *program, str(folder.path)]


def unlink_others(folder: ServerFolder, wanted: Collection[str]) -> None:
    """Stop a server from answering under names that are not wanted."""
    if folder.adapters.is_dir():
        for link in folder.adapters.iterdir():
            if link.name not in wanted and not link.name.startswith("."):
                folder.unlink_adapter(link.name)


def prepare_model(folder: ServerFolder, record: ServedRecord, project: UUID) -> None:
    """Write the calls for a model's probe, and let the server find its adapter."""
    calls = folder.probes / f"{record.name}.jsonl"
    if record.adapter_id is None:
        _write_calls(calls, [_PLAIN_CALL])
        return
    adapter = load_adapter(record.adapter_id, project)
    if not calls.is_file():
        _write_calls(calls, _choose_calls(adapter.training_set_id, project) or [_PLAIN_CALL])
    if adapter.method == "lora":
        folder.link_adapter(record.name, open_result(adapter.job_id, "adapter"))


def read_parity(folder: ServerFolder, name: str) -> dict[str, Any] | None:
    """Return the result of a probe, `None` if there is none."""
    try:
        found: dict[str, Any] = json.loads((folder.probes / f"{name}.json").read_bytes())
    except (OSError, ValueError):
        return None
    return found


def forget_parity(folder: ServerFolder, name: str) -> None:
    """Delete the result of a probe."""
    (folder.probes / f"{name}.json").unlink(missing_ok=True)


def _choose_calls(training_set: UUID, project: UUID) -> list[dict[str, Any]]:
    """Return some calls of a training set, held-out ones if there are any."""
    examples = open_folder(load_set(training_set, project).content_hash)
    held_out = examples / HELD_OUT_FILE
    source = held_out if held_out.stat().st_size else examples / TRAIN_FILE
    with source.open(encoding="utf-8") as lines:
        chosen = [json.loads(line) for line in islice(lines, _PROBED_CALLS)]
    calls = [example.get("chat") or example for example in chosen]
    return [
        {"messages": call["messages"], "tools": call.get("tools", [])}
        for call in calls
        if "messages" in call
    ]


def _write_calls(file: Path, calls: Iterable[Mapping[str, Any]]) -> None:
    file.parent.mkdir(mode=0o700, exist_ok=True)
    file.write_text("".join(json.dumps(call) + "\n" for call in calls), encoding="utf-8")
