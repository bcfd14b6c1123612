"""That something was measured or trained on a version of a dataset."""

from uuid import UUID

from tapes_app.engine.frozen_model import FrozenModel


class StandsOn(FrozenModel):
    """A version of a dataset that something was measured or trained on."""

    dataset_id: UUID
    dataset: str
    """Its name when it was frozen."""

    version: int
    tape_count: int
    """Of the version; a query may have chosen fewer of them."""
