"""Starting a distillation: every error that can be known in advance is refused before it starts."""

from collections import Counter
from typing import get_args
from uuid import UUID, uuid4

from optimize_app.distillation.request import DISTILLATION_KIND, NAME_LENGTH, DistillationRequest
from optimize_app.finetune.services.finetune_jobs import check_base, check_learns_answers
from optimize_app.finetune.store.adapters import load_adapter
from optimize_app.serving.request import SERVE_QUEUE
from optimize_app.training_sets.services.request import TrainingSetRequest
from optimize_app.training_sets.services.set_jobs import check_joined
from optimize_app.training_sets.services.tape_examples import find_task
from optimize_app.training_sets.splitting import Candidate, place_tapes
from optimize_app.training_sets.store import sets
from tapes_app.agents.services.known_prices import require_prices
from tapes_app.batches.services.rerun_preview import choose_tapes, preview_rerun
from tapes_app.batches.services.rerun_request import RerunSpec
from tapes_app.bulk.store.made_batches import check_new_name
from tapes_app.engine.errors import ConflictError, InvalidInputError
from tapes_app.exchange.services.export_writing import read_pages
from tapes_app.jobs.domain.protocol import FINAL_STATES, JobState
from tapes_app.jobs.services.stages import start_stages
from tapes_app.jobs.store.job import Job, list_jobs
from tapes_app.library.store.plans import TapeFilter
from tapes_app.projects.domain.columns import check_name
from tapes_app.projects.domain.wording import count_of
from tapes_app.projects.services.people import Person

_GROUP = UUID("6f1d3c52-8a0e-4a3c-9b57-3d2f5c9e7a10")
_MOST_LISTED = 1000


def start_distillation(person: Person, request: DistillationRequest) -> Job:
    """Queue a distillation. Its tasks are the tapes that the selection matches now.

    Raises:
        NotFoundError: no such agent version, teacher or adapter, or not all of the named tapes.
        ModelKeyMissingError: the teacher cannot be asked.
        InvalidInputError: no tape is chosen, the agent can start at none of them, a training set
            would leave some of them out or hold all of them out, there is no such base, an option
            is out of bounds, the adapter's set cannot be joined, or a dollar limit is set and the
            teacher has no price.
        ConflictError: a batch, a set or another distillation already has a name it needs.
        DeviceError: the disk has no room for checkpoints.
    """
    tasks = check_distillation(person, request)
    stored = request.model_copy(update={"q": "", "tape_ids": tasks})
    return start_stages(
        person,
        DISTILLATION_KIND,
        stored.model_dump(mode="json", exclude_unset=True),
        title=f"Distill {request.name}",
        queue=SERVE_QUEUE,
        group=_GROUP,
    )


def check_distillation(person: Person, request: DistillationRequest) -> tuple[UUID, ...]:
    """Return the tasks of a distillation that could be started; nothing is queued.

    Raises:
        StudioError: it could not be started, as `start_distillation` says.
    """
    check_name(request.name, NAME_LENGTH, "The name")
    _check_names(person, request)
    check_learns_answers(check_base(person, request.to_finetune(1, uuid4())))
    if request.adapter_id is not None:
        _check_adapter(person, request, request.adapter_id)
    tasks = _choose_tasks(person, request)
    if request.budget.micro_usd is not None:
        require_prices(
            person.project_id,
            request.agent_version_id,
            model_id=request.teacher_id,
            instead="labels",
        )
    return tasks


def _check_names(person: Person, request: DistillationRequest) -> None:
    unfinished = set(get_args(JobState)) - FINAL_STATES
    at_work = list_jobs(
        person.project_id, kinds=(DISTILLATION_KIND,), states=unfinished, limit=_MOST_LISTED
    )
    if request.name in {job.request["name"] for job in at_work}:
        raise ConflictError(
            f"A distillation {request.name!r} is under way. Choose another name, or cancel it."
        )
    for number in range(1, request.rounds + 1):
        for by_teacher in (False, True):
            name = request.name_of(number, by_teacher=by_teacher)
            check_new_name(person.project_id, name)
            if sets.is_name_taken(person.project_id, name):
                raise ConflictError(
                    f"There is a training set {name!r} already. Choose another name."
                )


def _check_adapter(person: Person, request: DistillationRequest, adapter_id: UUID) -> None:
    learnt = load_adapter(adapter_id, person.project_id).training_set_id
    check_joined(
        person,
        TrainingSetRequest(
            name=request.name,
            joined=(learnt,),
            held_out_share=request.held_out_share,
            seed=request.seed,
        ),
    )


def _choose_tasks(person: Person, request: DistillationRequest) -> tuple[UUID, ...]:
    spec = RerunSpec(
        q=request.q,
        tape_ids=request.tape_ids,
        agent_version_id=request.agent_version_id,
        model_id=request.teacher_id,
        parameters=request.parameters,
        max_turns=request.max_turns,
    )
    found = preview_rerun(person, spec)
    if not found.tape_count:
        raise InvalidInputError(
            "No tape matches. Choose tasks, such as those of a dataset.", field="q"
        )
    if not found.fitting:
        ((why, _),) = found.left_out.most_common(1)
        raise InvalidInputError(f"The agent can begin at none of the tapes: {why}", field="q")
    chosen = tuple(choose_tapes(person, spec))
    _check_learnable(person, request, chosen)
    return chosen


def _check_learnable(person: Person, request: DistillationRequest, tasks: tuple[UUID, ...]) -> None:
    """Refuse tasks that a training set would leave out: the teacher would be paid for nothing."""
    rows = [row for page in read_pages(person.project_id, TapeFilter(ids=tasks)) for row in page]
    candidates = [
        Candidate(row.id, find_task(person.project_id, row), row.split, row.is_kept_from_training)
        for row in rows
    ]
    places = place_tapes(
        candidates, held_out_share=request.held_out_share, seed=request.seed
    ).values()
    left_out = Counter(place.why for place in places if place.side is None)
    if left_out:
        ((why, _),) = left_out.most_common(1)
        count = left_out.total()
        raise InvalidInputError(
            f"{count:,} of the {count_of(len(rows), 'task')} cannot be learnt from: {why} "
            "Choose tasks to train on, for example with -split:test -is:kept-from-training in the "
            "query.",
            field="q",
        )
    if not any(place.side == "train" for place in places):
        raise InvalidInputError(
            f"All of the {count_of(len(rows), 'task')} would be held out, so that nothing is left "
            "to learn from. Choose more tasks, or hold out a smaller share.",
            field="held_out_share",
        )
