"""`/training-sets/{id}/tokens`: examples as a base model meets them."""

from typing import Annotated
from uuid import UUID

from pydantic import Field

from optimize_app.finetune.services import tokens
from optimize_app.finetune.services.tokens import ExampleTokens
from tapes_app.projects.api.people import PersonRequest, make_router

set_router = make_router("training sets")
Text = Annotated[str, Field(max_length=300)]


@set_router.get("/{training_set_id}/tokens", response=ExampleTokens)
def show_tokens(
    request: PersonRequest, training_set_id: UUID, example: Text, base: Text
) -> ExampleTokens:
    """Return an example of a set, by its id, as the exact tokens that a base is trained on.

    The first look at a set with a base takes some seconds: its tokenizer is loaded, and the
    examples around it are written too.
    """
    return tokens.load_tokens(request.auth, training_set_id, example, base)
