"""The base models a finetune can start from: folders in the data folder, or names on the hub."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from django.conf import settings

from tapes_app.engine.errors import InvalidInputError

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,95}")
_HUB_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,95}/[A-Za-z0-9][A-Za-z0-9._-]{0,95}")


RECIPE_FILE = "recipe.json"
"""In the folder of a base that was made here: its recipe, and the projects that made it."""


@dataclass(frozen=True, slots=True)
class BaseModel:
    """A model folder in Hugging Face form."""

    name: str
    family: str
    """Its architecture, such as llama or qwen3."""

    width: int | None
    layers: int | None
    size_bytes: int


def models_folder() -> Path:
    """Return the folder that holds base models."""
    return Path(settings.STUDIO_DATA_DIR) / "models"


def list_base_models(folder: Path) -> list[BaseModel]:
    """Return the models in a folder, sorted by name; anything that is not a model is skipped."""
    if not folder.is_dir():
        return []
    # A folder whose name starts with a dot is still being made.
    found = (_read(path) for path in sorted(folder.glob("[!.]*")))
    return [model for model in found if model is not None]


def list_makers(folder: Path) -> frozenset[UUID] | None:
    """Return the projects that made a base; `None`: an operator provided it, or it is too old."""
    try:
        made = json.loads((folder / RECIPE_FILE).read_bytes()).get("projects")
    except FileNotFoundError:
        return None
    return None if made is None else frozenset(map(UUID, made))


def find_base(name: str, folder: Path, project_id: UUID) -> str:
    """Return where the base of that name is loaded from: a folder, or its name on the hub.

    A path is not accepted as a name: models on this machine must be in the data folder.

    Raises:
        InvalidInputError: there is no such base model, or other projects made it.
    """
    if _NAME.fullmatch(name) and _is_there(folder / name, project_id):
        return str(folder / name)
    if _HUB_NAME.fullmatch(name):
        return name
    # It names no other: they may be of projects that the person is not in.
    raise InvalidInputError(
        f"There is no base model {name!r}. Choose one that the Training page lists, make one with "
        "make_base_model, or give a name on the hub, such as Qwen/Qwen3-0.6B.",
        base=name,
        field="base",
    )


def find_tokenizer(base: str) -> Path | None:
    """Return the folder that holds a base's tokenizer, without asking the network.

    `base` is the result of `find_base`. `None`: it is a name on the hub that was never loaded here.
    """
    if Path(base).is_absolute():
        return Path(base)
    from huggingface_hub import try_to_load_from_cache

    kept = try_to_load_from_cache(base, "tokenizer_config.json")
    return Path(kept).parent if isinstance(kept, str) else None


def require_tokenizer(name: str, project_id: UUID) -> Path:
    """Return the folder that holds a base's tokenizer.

    Raises:
        InvalidInputError: there is no such base, or its tokenizer is not on this machine.
    """
    folder = find_tokenizer(find_base(name, models_folder(), project_id))
    if folder is None:
        raise InvalidInputError(
            f"The tokenizer of {name} is not on this machine; it comes with the first finetune of "
            "that base. Choose a base model of the studio.",
            base=name,
        )
    return folder


def _is_there(path: Path, project_id: UUID) -> bool:
    if _read(path) is None:
        return False
    makers = list_makers(path)
    return makers is None or project_id in makers


def _read(path: Path) -> BaseModel | None:
    try:
        config = json.loads((path / "config.json").read_bytes())
    except (OSError, ValueError):
        return None
    if not isinstance(config, dict) or "model_type" not in config:
        return None
    return BaseModel(
        name=path.name,
        family=str(config["model_type"]),
        width=config.get("hidden_size"),
        layers=config.get("num_hidden_layers"),
        size_bytes=sum(file.stat().st_size for file in path.glob("*.safetensors")),
    )
