"""Base models in the data folder, and those that other machines have published."""

from dataclasses import replace
from pathlib import Path
from uuid import UUID

from optimize_app.base_models import BaseModel, find_base, list_base_models, models_folder
from tapes_app.artefacts.opening import artefacts, share
from tapes_app.engine.errors import ConflictError, InvalidInputError

_LARGEST_PART = 64_000_000
"""In bytes; larger files in a base's folder are its weights."""


def list_bases() -> list[BaseModel]:
    """Return the base models that a finetune can start from, by name.

    Raises:
        ArtefactError: the artefact store cannot be reached.
    """
    store = artefacts()
    published = store.list_names(models_folder().name)
    for name in published:
        store.fetch(name, _is_description)
    return [
        replace(base, size_bytes=_count_published(_artefact_of(base.name)))
        if _artefact_of(base.name) in published  # its weights may not be on this machine
        else base
        for base in list_base_models(models_folder())
    ]


def find(name: str, project_id: UUID) -> str:
    """Return where a base is loaded from; its weights may be only on other machines.

    Raises:
        InvalidInputError: there is no such base, or other projects made it.
        ArtefactError: the artefact store cannot be reached.
    """
    try:
        return find_base(name, models_folder(), project_id)
    except InvalidInputError:
        list_bases()  # fetches the descriptions of those on other machines
        return find_base(name, models_folder(), project_id)


def load(name: str, project_id: UUID) -> str:
    """Do the same as `find`, and fetch all of the base to this machine.

    Raises:
        InvalidInputError: there is no such base, or other projects made it.
        ArtefactError: it cannot be fetched.
    """
    found = find(name, project_id)
    if Path(found).is_absolute():
        fetch(name)
    return found


def fetch(name: str) -> None:
    """Bring all of a base to this machine.

    Raises:
        ArtefactError: it cannot be fetched.
    """
    artefacts().fetch(_artefact_of(name))


def check_shared(name: str, project_id: UUID) -> None:
    """Check whether every worker can find a base.

    Raises:
        ConflictError: it is only on this machine.
        ArtefactError: the artefact store cannot be reached.
    """
    if Path(find(name, project_id)).is_absolute() and not artefacts().has(_artefact_of(name)):
        raise ConflictError(
            f"The base model {name} is only on this machine. Run "
            f"`manage.py share_base_model {name}` first.",
            base=name,
        )


def share_base(name: str) -> None:
    """Publish a base of this machine, so that other machines find it.

    Raises:
        ArtefactError: the artefact store cannot be reached.
    """
    share(_artefact_of(name))


def share_base_again(name: str) -> None:
    """Publish a base of which a small file has changed.

    Raises:
        ArtefactError: the store cannot be reached.
    """
    artefacts().publish(_artefact_of(name))


def _artefact_of(name: str) -> str:
    return f"{models_folder().name}/{name}"


def _is_description(_path: str, size: int) -> bool:
    return size < _LARGEST_PART


def _count_published(artefact: str) -> int:
    manifest = artefacts().find(artefact)
    files = manifest.files if manifest is not None else {}
    return sum(one.size for path, one in files.items() if path.endswith(".safetensors"))
