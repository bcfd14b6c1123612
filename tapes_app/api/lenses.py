"""`/lenses`: kept ways to look at the list of tapes."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from ninja import Status

from tapes_app.api.people import PersonRequest, created, emptied, found, make_router
from tapes_app.api.schemas import LensIn, LensListOut, LensOut, LensPatchIn
from tapes_app.services import lenses

router = make_router("lenses", is_personal=True)


@router.get("", response=found(LensListOut))
def list_lenses(request: PersonRequest) -> Any:
    """List one's own lenses and those that are shared with the project."""
    return {"items": lenses.list_lenses(request.auth)}


@router.post("", response=created(LensOut))
def create_lens(request: PersonRequest, body: LensIn) -> Status[Any]:
    """Keep a query, an order and a table under a name."""
    return Status(201, lenses.create_lens(request.auth, **body.model_dump()))


@router.patch("/{lens_id}", response=found(LensOut))
def change_lens(request: PersonRequest, lens_id: UUID, body: LensPatchIn) -> Any:
    """Change one's own lens, share it or take it back."""
    return lenses.change_lens(request.auth, lens_id, **body.model_dump(exclude_none=True))


@router.delete("/{lens_id}", response=emptied())
def delete_lens(request: PersonRequest, lens_id: UUID) -> Status[None]:
    lenses.delete_lens(request.auth, lens_id)
    return Status(204, None)
