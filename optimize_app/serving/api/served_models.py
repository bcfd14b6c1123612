"""`/served-models`: adapters and base models that the studio itself serves."""

from uuid import UUID

from ninja import Status

from optimize_app.serving.request import CompareRequest, ServeRequest
from optimize_app.serving.services import comparing, serving
from optimize_app.serving.services.serving import ServedModel
from tapes_app.batches.services.reruns import Rerun
from tapes_app.projects.api.people import PersonRequest, make_router
from tapes_app.projects.domain.rows import Items

router = make_router("served models")


@router.get("", response=Items[ServedModel])
def list_served(request: PersonRequest) -> Items[ServedModel]:
    """List what is or was served, newest first."""
    return Items(serving.list_served(request.auth))


@router.post("", response={202: ServedModel})
def serve(request: PersonRequest, body: ServeRequest) -> Status[ServedModel]:
    """Serve an adapter or a base model; once it answers correctly, it becomes an LLM model."""
    return Status(202, serving.serve(request.auth, body))


@router.get("/{served_id}", response=ServedModel)
def show_served(request: PersonRequest, served_id: UUID) -> ServedModel:
    """Return a served model and the state of its server."""
    return serving.load_served(request.auth, served_id)


@router.post("/{served_id}/stop", response=ServedModel)
def stop_serving(request: PersonRequest, served_id: UUID) -> ServedModel:
    """Stop serving a model; the server of its base ends with the last one."""
    return serving.stop_serving(request.auth, served_id)


@router.get("/{served_id}/log", response=str)
def show_log(request: PersonRequest, served_id: UUID) -> str:
    """Return the end of the log of the server that answers for a model."""
    return serving.read_log(request.auth, served_id)


@router.post("/{served_id}/compare", response={202: Rerun})
def compare(request: PersonRequest, served_id: UUID, body: CompareRequest) -> Status[Rerun]:
    """Have the model rerun tapes of its teacher, into a batch to compare with theirs."""
    return Status(202, comparing.compare_with_teacher(request.auth, served_id, body))
