"""A reference to the version of a dataset that something was measured or trained on."""

from uuid import UUID

from tapes_app.engine.frozen_model import FrozenModel


class DatasetVersionRef(FrozenModel):
    """A version of a dataset that something was measured or trained on."""

    dataset_id: UUID
    dataset: str
    """Name of the dataset when it was frozen."""

    version: int
    tape_count: int
    """Number of tapes in the version; a query may have selected fewer of them."""
