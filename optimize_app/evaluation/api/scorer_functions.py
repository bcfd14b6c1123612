"""`/scorer-functions`: the Python functions for scoring, of the studio and of plugins."""

from optimize_app.evaluation.scoring.functions import DescribedFunction, list_functions
from tapes_app.projects.api.people import PersonRequest, make_router

router = make_router("sweeps")


@router.get("", response=list[DescribedFunction])
def list_scorer_functions(request: PersonRequest) -> list[DescribedFunction]:
    """List the scorer functions of the studio and of plugins."""
    return list_functions()
