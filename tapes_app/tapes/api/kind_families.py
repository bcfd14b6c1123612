"""`/step-kinds/families`: families of the kinds that no class here knows."""

from typing import Annotated

from pydantic import Field

from tapes_app.engine.tape.families import AssignedFamily
from tapes_app.projects.api.bodies import In, Line
from tapes_app.projects.api.people import PersonRequest, make_router
from tapes_app.projects.domain.rows import Items
from tapes_app.tapes.services import kind_families
from tapes_app.tapes.services.kind_families import FamilyChange, KindFamily

router = make_router("step kinds")


class KindFamilyIn(In):
    kind: Annotated[Line, Field(min_length=1, max_length=100)]
    family: AssignedFamily | None
    """The family of every step of the kind in this project: "stop" is an action that ends its tape,
    null returns to the guess."""


@router.get("/families", response=Items[KindFamily])
def list_kind_families(request: PersonRequest) -> Items[KindFamily]:
    """List the unknown kinds of the project with their families."""
    return Items(kind_families.list_kind_families(request.auth))


@router.put("/families", response=FamilyChange)
def set_kind_family(request: PersonRequest, body: KindFamilyIn) -> FamilyChange:
    """Set the family of an unknown kind in the project, or undo that."""
    return kind_families.set_kind_family(request.auth, body.kind, body.family)
