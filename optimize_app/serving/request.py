"""The requests for serving and comparing."""

from typing import Annotated, Self
from uuid import UUID

from pydantic import Field, StringConstraints, model_validator

from tapes_app.engine.errors import InvalidInputError
from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.library.services.selection import TapeSelection

SERVE_KIND = "serve"
SERVE_QUEUE = "serve"


class ServeRequest(FrozenModel):
    """What to serve: the result of a finetune, or an unchanged base model."""

    adapter_id: UUID | None = None
    base: Annotated[str, StringConstraints(max_length=200)] = ""

    @model_validator(mode="after")
    def _check_one(self) -> Self:
        if (self.adapter_id is None) == (not self.base):
            raise InvalidInputError("Name either an adapter or a base model.", field="adapter_id")
        return self


class ServerRequest(FrozenModel):
    """The data of a server's job."""

    base: str
    """Name of a base model, or `finetune:ID` for the result of a finetune of all weights."""

    served_name: str
    """The name under which the base itself answers."""


class CompareRequest(TapeSelection):
    """Which tapes the student reruns; without tapes and query, those that it never learnt from."""

    batch_name: Annotated[str, StringConstraints(max_length=300)] = ""
    """Name of the student's batch; empty: the student's name and the date."""

    concurrency: int | None = Field(default=None, ge=1, le=100)
