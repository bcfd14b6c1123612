"""Adapters on disk: found by name, and checked before anything of them is loaded.

A name is served when it is first requested, as with vLLM's filesystem resolver. It is compared with
what is in the folder and never becomes part of a path.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from optimize_app.serving.server.errors import AdapterError, UnknownModelError

CONFIG_FILE = "adapter_config.json"
WEIGHTS_FILE = "adapter_model.safetensors"
_HARMLESS_STARTS = (True, False, None, "gaussian", "default")


@dataclass(frozen=True)
class FoundAdapter:
    """An adapter that can be served."""

    name: str
    folder: Path
    """Where its files are, with links resolved."""
    mixes: bool
    """Whether it can share a batch with other adapters."""


def list_adapters(adapters: Path) -> dict[str, Path]:
    """Return the folders of adapters by name; links to folders that no longer exist are skipped."""
    try:
        entries = sorted(adapters.iterdir())
    except FileNotFoundError:
        return {}
    return {
        entry.name: entry.resolve()
        for entry in entries
        if not entry.name.startswith(".") and entry.is_dir()
    }


def find_adapter(adapters: Path, name: str) -> FoundAdapter:
    """Return the adapter of that name.

    Raises:
        UnknownModelError: there is none.
        AdapterError: its files are not those of an adapter that can be served.
    """
    folder = list_adapters(adapters).get(name)
    if folder is None:
        raise UnknownModelError(
            f"There is no model {name!r} here; GET /v1/models lists those there are."
        )
    config = _read_config(name, folder)
    check_adapter_config(name, config)
    if not (folder / WEIGHTS_FILE).is_file():
        pickled = next((path.name for path in sorted(folder.glob("*.bin"))), None)
        raise AdapterError(
            f"Adapter {name} has its weights in {pickled}, a pickle, which can run code when it is "
            "loaded; save it as safetensors."
            if pickled
            else f"Adapter {name} has no {WEIGHTS_FILE}."
        )
    return FoundAdapter(name, folder, mixes=not config.get("use_dora"))


def check_adapter_config(name: str, config: dict[str, Any]) -> None:
    """Reject an adapter that would change the base that the adapters share.

    Raises:
        AdapterError: the adapter is of another kind, or trains parts of the base itself.
    """
    if config.get("peft_type") != "LORA":
        raise AdapterError(f"Adapter {name} is not a LoRA; only those can share a base.")
    for field in ("modules_to_save", "layer_replication", "trainable_token_indices"):
        if config.get(field):
            raise AdapterError(
                f"Adapter {name} has {field}, which replaces parts of the base; serve the full "
                "model that it makes as a separate base."
            )
    if config.get("target_parameters"):
        raise AdapterError(
            f"Adapter {name} adapts bare parameters, which cannot be told apart in a batch; serve "
            "the full model that it makes as a separate base."
        )
    if config.get("bias", "none") != "none":
        raise AdapterError(
            f"Adapter {name} trains biases of the base; serve the full model that it makes as a "
            "separate base."
        )
    start = config.get("init_lora_weights", True)
    if start not in _HARMLESS_STARTS:
        raise AdapterError(
            f"Adapter {name} was initialized by {start}, which changes the base as it is loaded; "
            "convert it to an ordinary LoRA first."
        )


def _read_config(name: str, folder: Path) -> dict[str, Any]:
    try:
        config = json.loads((folder / CONFIG_FILE).read_bytes())
    except FileNotFoundError as error:
        raise AdapterError(f"Adapter {name} has no {CONFIG_FILE}.") from error
    except (ValueError, RecursionError) as error:
        raise AdapterError(f"{CONFIG_FILE} of adapter {name} is not JSON.") from error
    if not isinstance(config, dict):
        raise AdapterError(f"{CONFIG_FILE} of adapter {name} is not a JSON object.")
    return config
