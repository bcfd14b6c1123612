"""Folders of servers: prepared, filled with links to adapters, read."""

import json
import secrets
import sys
from collections.abc import Collection, Iterable, Mapping
from itertools import islice
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings

from optimize_app.finetune.base_models import find_base
from optimize_app.finetune.store.adapters import load_adapter
from optimize_app.finetune.store.runs import models_folder, run_folder
from optimize_app.finetune.trainer.run_folder import write_json
from optimize_app.serving.server.server_folder import ServerFolder
from optimize_app.serving.store.served import ServedRecord
from optimize_app.training_sets.store.sets import HELD_OUT_FILE, TRAIN_FILE, folder_of, load_set
from tapes_app.engine.errors import ConflictError

FINETUNED = "finetune:"
_PROBED_CALLS = 5
_PLAIN_CALL = {"messages": [{"role": "user", "content": "What is the sum of 2 and 3?"}]}


def server_folder(job_id: UUID) -> ServerFolder:
    """Return the folder of a server."""
    return ServerFolder(Path(settings.STUDIO_DATA_DIR) / "servers" / str(job_id))


def find_weights(base: str) -> str:
    """Return where a base is loaded from: a folder, or a name on the hub.

    Raises:
        InvalidInputError: there is no such base.
        ConflictError: it is a finetune of all weights whose folder is gone.
    """
    if not base.startswith(FINETUNED):
        return find_base(base, models_folder())
    folder = run_folder(UUID(base.removeprefix(FINETUNED))).path / "model"
    if not folder.is_dir():
        raise ConflictError("The folder of this finetune is gone; train it again.", base=base)
    return str(folder)


def prepare_server(job_id: UUID, base: str, served_name: str) -> ServerFolder:
    """Make the folder of a server, unless an earlier attempt has."""
    folder = server_folder(job_id)
    if folder.config_file.is_file():
        return folder
    folder.path.mkdir(mode=0o700, parents=True, exist_ok=True)
    config = {
        "base": find_weights(base),
        "served_name": served_name,
        "host": "127.0.0.1",
        "port": 0,
        "api_key": secrets.token_urlsafe(24),
    }
    write_json(folder.config_file, config)
    return folder


def command_of(folder: ServerFolder) -> list[str]:
    """Return how the server of a folder is started: our own program, or vLLM where there is one."""
    if settings.STUDIO_VLLM:
        program = ["optimize_app.serving.vllm", settings.STUDIO_VLLM]
    else:
        program = ["optimize_app.serving"]
    return [sys.executable, "-m", *program, str(folder.path)]


def link_adapters(folder: ServerFolder, wanted: Collection[ServedRecord], project: UUID) -> None:
    """Bring the links of a server to what is wanted, with the calls that each is probed by."""
    names = {record.name for record in wanted}
    if folder.adapters.is_dir():
        for link in folder.adapters.iterdir():
            if link.name not in names and not link.name.startswith("."):
                folder.unlink_adapter(link.name)
    for record in wanted:
        if record.adapter_id is None:
            _write_calls(_probe_file(folder, record.name), [_PLAIN_CALL])
            continue
        adapter = load_adapter(record.adapter_id, project)
        if not _probe_file(folder, record.name).is_file():
            _write_probe(_probe_file(folder, record.name), adapter.training_set_id, project)
        if adapter.method == "lora":
            folder.link_adapter(record.name, run_folder(adapter.job_id).path / "adapter")


def read_parity(folder: ServerFolder, name: str) -> dict[str, Any] | None:
    """Return what a probe wrote, `None` if it wrote nothing."""
    try:
        found: dict[str, Any] = json.loads((folder.probes / f"{name}.json").read_bytes())
    except (OSError, ValueError):
        return None
    return found


def forget_parity(folder: ServerFolder, name: str) -> None:
    """Forget what a probe wrote."""
    (folder.probes / f"{name}.json").unlink(missing_ok=True)


def _probe_file(folder: ServerFolder, name: str) -> Path:
    return folder.probes / f"{name}.jsonl"


def _write_probe(file: Path, training_set: UUID, project: UUID) -> None:
    """Write some calls of a training set, held-out ones where there are any."""
    examples = folder_of(load_set(training_set, project).content_hash)
    held_out = examples / HELD_OUT_FILE
    source = held_out if held_out.stat().st_size else examples / TRAIN_FILE
    with source.open(encoding="utf-8") as lines:
        chosen = [json.loads(line) for line in islice(lines, _PROBED_CALLS)]
    calls = [
        {"messages": example["messages"], "tools": example.get("tools", [])}
        for example in chosen
        if "messages" in example
    ]
    _write_calls(file, calls or [_PLAIN_CALL])


def _write_calls(file: Path, calls: Iterable[Mapping[str, Any]]) -> None:
    file.parent.mkdir(mode=0o700, exist_ok=True)
    file.write_text("".join(json.dumps(call) + "\n" for call in calls), encoding="utf-8")
