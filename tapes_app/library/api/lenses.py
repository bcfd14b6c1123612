"""`/lenses`: kept ways to look at the list of tapes."""

from uuid import UUID

from ninja import Status

from tapes_app.library.api.lens_schemas import LensIn, LensListOut, LensOut, LensPatchIn
from tapes_app.library.services import lenses
from tapes_app.library.services.lenses import Lens
from tapes_app.projects.api.people import PersonRequest, created, emptied, make_router
from tapes_app.projects.rows import Items

router = make_router("lenses", is_personal=True)


@router.get("", response=LensListOut)
def list_lenses(request: PersonRequest) -> Items[Lens]:
    """List one's own lenses and those that are shared with the project."""
    return Items(lenses.list_lenses(request.auth))


@router.post("", response=created(LensOut))
def create_lens(request: PersonRequest, body: LensIn) -> Status[Lens]:
    """Keep a query, an order and a table under a name."""
    return Status(201, lenses.create_lens(request.auth, **body.model_dump()))


@router.patch("/{lens_id}", response=LensOut)
def change_lens(request: PersonRequest, lens_id: UUID, body: LensPatchIn) -> Lens:
    """Change one's own lens, share it or take it back."""
    return lenses.change_lens(request.auth, lens_id, **body.model_dump(exclude_none=True))


@router.delete("/{lens_id}", response=emptied())
def delete_lens(request: PersonRequest, lens_id: UUID) -> Status[None]:
    lenses.delete_lens(request.auth, lens_id)
    return Status(204, None)
