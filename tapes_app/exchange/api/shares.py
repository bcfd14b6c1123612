"""`/tapes/{id}/share` and snippets of LLM calls: what leaves the studio for somebody else."""

from typing import Annotated
from uuid import UUID

from django.http import HttpResponseBase
from ninja import Query

from tapes_app.calls.services import snippets as call_snippets
from tapes_app.calls.services.snippets import SnippetFormat
from tapes_app.exchange.api.share_schemas import SnippetOut
from tapes_app.exchange.services import shares
from tapes_app.exchange.services.shares import ShareFormat
from tapes_app.projects.api.file_answers import answer_download
from tapes_app.projects.api.people import PersonRequest, make_router

router = make_router("shares")


@router.get("/{tape_id}/share")
def share_tape(
    request: PersonRequest,
    tape_id: UUID,
    wanted: Annotated[ShareFormat, Query(alias="format")] = "html",
) -> HttpResponseBase:
    """Give a tape as one file without secrets: a page that works offline, Markdown or JSON."""
    return answer_download(shares.share_tape(request.auth, tape_id, wanted))


@router.get("/{tape_id}/calls/{call_id}/snippet", response=SnippetOut)
def show_snippet(
    request: PersonRequest,
    tape_id: UUID,
    call_id: UUID,
    wanted: Annotated[SnippetFormat, Query(alias="format")] = "curl",
) -> SnippetOut:
    """Give a command or a program that makes a recorded call again, with the key left out."""
    text = call_snippets.write_snippet(request.auth, tape_id, call_id, wanted)
    return SnippetOut(text=text)
