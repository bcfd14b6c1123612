"""The artefact store from the settings."""

from pathlib import Path

from django.conf import settings

from tapes_app.artefacts.artefact_store import Artefacts, open_artefacts


def artefacts() -> Artefacts:
    """Return how this studio's machines share folders.

    Raises:
        ArtefactError: the setting cannot be used.
    """
    return open_artefacts(settings.STUDIO_ARTEFACTS, Path(settings.STUDIO_DATA_DIR))


def share(name: str) -> None:
    """Publish a folder that no longer changes, unless it is published already.

    Raises:
        ArtefactError: the store cannot be reached.
    """
    store = artefacts()
    if not store.has(name):
        store.publish(name)
