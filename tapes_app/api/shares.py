"""`/tapes/{id}/share` and snippets of LLM calls: what leaves the studio for somebody else."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from django.http import HttpResponseBase
from ninja import Query

from tapes_app.api.downloads import answer_download
from tapes_app.api.people import ERRORS, PersonRequest, found, make_router
from tapes_app.api.schemas import SnippetOut
from tapes_app.services import call_snippets, shares
from tapes_app.services.call_snippets import SnippetFormat
from tapes_app.services.shares import ShareFormat

router = make_router("shares")


@router.get("/{tape_id}/share", response=ERRORS)
def share_tape(
    request: PersonRequest,
    tape_id: UUID,
    wanted: Annotated[ShareFormat, Query(alias="format")] = "html",
) -> HttpResponseBase:
    """Give a tape as one file without secrets: a page that works offline, Markdown or JSON."""
    return answer_download(shares.share_tape(request.auth, tape_id, wanted))


@router.get("/{tape_id}/calls/{call_id}/snippet", response=found(SnippetOut))
def show_snippet(
    request: PersonRequest,
    tape_id: UUID,
    call_id: UUID,
    wanted: Annotated[SnippetFormat, Query(alias="format")] = "curl",
) -> Any:
    """Give a command or a program that makes a recorded call again, with the key left out."""
    text = call_snippets.write_snippet(request.auth, tape_id, call_id, wanted)
    return {"text": text}
