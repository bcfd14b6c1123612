"""`/tapes/{id}/share` and snippets of LLM calls: what leaves the studio for somebody else."""

from typing import Annotated
from uuid import UUID

from django.http import HttpResponseBase
from ninja import Query

from tapes_app.calls.services import snippets as call_snippets
from tapes_app.calls.services.snippets import SnippetFormat
from tapes_app.exchange.services import shares
from tapes_app.exchange.services.shares import ShareFormat
from tapes_app.projects.api.bodies import Out
from tapes_app.projects.api.file_answers import answer_download
from tapes_app.projects.api.people import PersonRequest, make_router

router = make_router("shares")


class SnippetOut(Out):
    """A command or a program as text; it reads its key from the environment."""

    text: str


@router.get("/{tape_id}/share")
def share_tape(
    request: PersonRequest,
    tape_id: UUID,
    wanted: Annotated[ShareFormat, Query(alias="format")] = "html",
) -> HttpResponseBase:
    """Return a tape as one file without secrets: a page that works offline, Markdown or JSON."""
    return answer_download(shares.share_tape(request.auth, tape_id, wanted))


@router.get("/{tape_id}/calls/{call_id}/snippet", response=SnippetOut)
def show_snippet(
    request: PersonRequest,
    tape_id: UUID,
    call_id: UUID,
    wanted: Annotated[SnippetFormat, Query(alias="format")] = "curl",
) -> SnippetOut:
    """Return a command or a program that repeats a recorded call, without the key."""
    text = call_snippets.write_snippet(request.auth, tape_id, call_id, wanted)
    return SnippetOut(text=text)
