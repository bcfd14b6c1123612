"""The request for a finetune: a training set, a base, and what differs from a preset."""

from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import Field, StringConstraints, ValidationError

from optimize_app.finetune.trainer.config import FinetuneConfig
from optimize_app.finetune.trainer.presets import configure
from tapes_app.engine.errors import InvalidInputError
from tapes_app.engine.frozen_model import FrozenModel

FINETUNE_KIND = "finetune"
TRAIN_QUEUE = "train"
NAME_LENGTH = 200
FinetunePreset = Literal["paper", "tiny", "tiny-full", "8b", "preference"]


class FinetuneRequest(FrozenModel):
    """The data of a finetune's job."""

    name: Annotated[
        str, StringConstraints(strip_whitespace=True, min_length=1, max_length=NAME_LENGTH)
    ]
    """Name of the resulting adapter."""

    training_set_id: UUID
    base: Annotated[str, StringConstraints(min_length=1, max_length=200)]
    """A base model of the studio, or a name on the hub."""

    preset: FinetunePreset = "tiny"
    options: dict[str, Any] = Field(default_factory=dict, max_length=50)
    """What differs from the preset: fields of the trainer's config, by name."""

    def configure(self, base: str) -> FinetuneConfig:
        """Return the trainer's config, with the place that the base is loaded from.

        Raises:
            InvalidInputError: an option is unknown or out of bounds; the message names it.
        """
        own = {"base", "allow_pickled_weights"} & self.options.keys()
        if own:
            raise InvalidInputError(
                f"{', '.join(sorted(own))} cannot be set as an option.", field="options"
            )
        try:
            return configure(self.preset, **self.options, base=base)
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(str(part) for part in first["loc"])
            raise InvalidInputError(
                f"Option {place or 'values'}: {first['msg'].removeprefix('Value error, ')}.",
                option=place,
                field=f"options.{place}" if place else "options",
            ) from error
