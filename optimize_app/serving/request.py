"""What serving is asked for."""

from typing import Annotated, Self
from uuid import UUID

from pydantic import Field, StringConstraints, model_validator

from tapes_app.engine.errors import InvalidInputError
from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.library.services.selection import TapeSelection

SERVE_KIND = "serve"
SERVE_QUEUE = "serve"


class ServeRequest(FrozenModel):
    """What is served: the result of a finetune, or a base model as it is."""

    adapter_id: UUID | None = None
    base: Annotated[str, StringConstraints(max_length=200)] = ""

    @model_validator(mode="after")
    def _check_one(self) -> Self:
        if (self.adapter_id is None) == (not self.base):
            raise InvalidInputError("Name either an adapter or a base model.", field="adapter_id")
        return self


class ServerRequest(FrozenModel):
    """What the job of a server holds."""

    base: str
    """A base model by its name, or `finetune:ID` for what a finetune of all weights made."""

    served_name: str
    """Under which the base itself answers."""


class CompareRequest(TapeSelection):
    """Which tapes the student runs again; without tapes and query, those that it never learnt."""

    batch_name: Annotated[str, StringConstraints(max_length=300)] = ""
    """Of the student's tapes; empty: its name and the day."""

    concurrency: int | None = Field(default=None, ge=1, le=100)
