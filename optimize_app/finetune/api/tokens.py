"""`/training-sets/{id}/tokens` and `/texts`: examples as a base model reads them."""

from typing import Annotated
from uuid import UUID

from django.http import HttpResponseBase
from pydantic import Field

from optimize_app.finetune.services import text_exports, tokens
from optimize_app.finetune.services.tokens import ExampleTokens
from optimize_app.training_sets.splitting import Side
from tapes_app.projects.api.file_answers import answer_download
from tapes_app.projects.api.people import PersonRequest, make_router

set_router = make_router("training sets")
Text = Annotated[str, Field(max_length=300)]


@set_router.get("/{training_set_id}/tokens", response=ExampleTokens)
def show_tokens(
    request: PersonRequest, training_set_id: UUID, example: Text, base: Text
) -> ExampleTokens:
    """Return an example of a set, by its id, as the exact tokens that a base is trained on.

    The first request for a set with a base takes some seconds: its tokenizer is loaded, and the
    neighbouring examples are tokenized too.
    """
    return tokens.load_tokens(request.auth, training_set_id, example, base)


@set_router.get("/{training_set_id}/texts")
def export_texts(
    request: PersonRequest, training_set_id: UUID, base: Text, side: Side = "train"
) -> HttpResponseBase:
    """Download the examples of one side as text with the spans that are learnt, as JSON lines.

    The chat template of the base formats them, so another trainer needs to know nothing about
    chats. Examples that it cannot format are left out, and so are thoughts that it has no place
    for.
    """
    return answer_download(text_exports.export_texts(request.auth, training_set_id, base, side))
