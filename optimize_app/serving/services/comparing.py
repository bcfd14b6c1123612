"""The student against its teacher: the student reruns the teacher's tapes."""

from uuid import UUID

from django.utils import timezone

from optimize_app.finetune.store.adapters import load_adapter
from optimize_app.serving.request import CompareRequest
from optimize_app.serving.services.serving import ServedModel, load_served
from optimize_app.training_sets.store.sets import list_sources
from tapes_app.batches.services.rerun_preview import choose_tapes
from tapes_app.batches.services.rerun_request import MOST_TAPES, RerunRequest
from tapes_app.batches.services.reruns import Rerun, start_rerun
from tapes_app.engine.errors import ConflictError, InvalidInputError
from tapes_app.library.services.selection import TapeSelection
from tapes_app.projects.services.people import Person
from tapes_app.tapes.store.starts import find_main_version


def compare_with_teacher(person: Person, served_id: UUID, request: CompareRequest) -> Rerun:
    """Rerun tapes from their start by the agent that wrote them, with the student as model.

    Without tapes and query, the tapes are those that the student's training set held out.

    Raises:
        NotFoundError: no such served model, or not all of the named tapes.
        ConflictError: the model is not ready, or a batch has this name already.
        InvalidInputError: no tape is left to compare with, or too many.
    """
    model = load_served(person, served_id)
    if model.state != "ready" or model.model_id is None:
        raise ConflictError(
            f"{model.name} is {model.state}; serve it first, and compare when it is ready.",
            state=model.state,
        )
    selection = _choose(person, model, request)
    tapes = choose_tapes(person, selection)
    version = find_main_version(person.project_id, tapes)
    if version is None:
        raise InvalidInputError(
            "No agent of the studio wrote these tapes, so none can rerun them. Choose tapes "
            "of a known agent.",
            field="tape_ids",
        )
    name = request.batch_name or f"{model.name} {timezone.localtime():%Y-%m-%d %H:%M}"
    return start_rerun(
        person,
        RerunRequest(
            tape_ids=selection.tape_ids,
            q=selection.q,
            agent_version_id=version,
            model_id=model.model_id,
            batch_name=name,
            concurrency=request.concurrency,
        ),
    )


def _choose(person: Person, model: ServedModel, request: CompareRequest) -> TapeSelection:
    if request.tape_ids is not None or request.q:
        return TapeSelection(tape_ids=request.tape_ids, q=request.q)
    if model.adapter_id is None:
        raise InvalidInputError("Choose the tapes to compare with.", field="tape_ids")
    adapter = load_adapter(model.adapter_id, person.project_id)
    held_out = list_sources(adapter.training_set_id, person.project_id, "held_out")
    if not held_out:
        raise InvalidInputError(
            f"Training set {adapter.training_set_name!r} held no tape out, so there is none that "
            "the student has not learnt. Select other tapes of the teacher in the list of tapes, "
            f"and rerun them with the model {model.name}.",
            field="tape_ids",
        )
    return TapeSelection(tape_ids=tuple(held_out[:MOST_TAPES]))
