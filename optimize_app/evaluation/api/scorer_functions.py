"""`/scorer-functions`: the Python functions that plugins provide for scoring."""

from optimize_app.evaluation.scoring.functions import DescribedFunction, list_functions
from tapes_app.projects.api.people import PersonRequest, make_router

router = make_router("sweeps")


@router.get("", response=list[DescribedFunction])
def list_scorer_functions(request: PersonRequest) -> list[DescribedFunction]:
    """List the scorer functions that plugins provide."""
    return list_functions()
