"""The trees of a study on a page: their balance, their dialogues, and each of these as a tape."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple
from uuid import UUID

from django.db import transaction

from optimize_app.case_study.dialogues import join_path
from optimize_app.case_study.services.growing import list_branches
from optimize_app.case_study.services.study_jobs import STUDY_KIND, folder_of
from optimize_app.case_study.settings import StudySettings, TreeRequest
from optimize_app.case_study.study_folder import read_piece, write_piece
from optimize_app.tape_trees.branches import Branch
from optimize_app.tape_trees.growth import list_paths
from tapes_app.engine.errors import NotFoundError
from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.engine.tape.tape import Tape, TapeMetadata
from tapes_app.jobs.store.job import lock_job
from tapes_app.library.services.bulk_job import load_bulk_job
from tapes_app.projects.services.people import Person
from tapes_app.tapes.store.batches import ensure_batch
from tapes_app.tapes.store.headers import list_titles
from tapes_app.tapes.store.saving import NewTape, save_tapes

TreeName = Literal["train", "openings", "test"]
MOST_SHOWN = 200


class Balance(FrozenModel):
    """How the branches of a few trees are spread."""

    companies: int
    count: int
    open_count: int
    """After these the dialogue may go on."""

    depths: dict[int, int]
    behaviours: dict[str, int]
    forms: dict[str, int]


@dataclass(frozen=True, slots=True)
class DialogueRow:
    """A partial dialogue: the path from the beginning to a branch."""

    company: str
    key: str
    depth: int
    behaviour: str
    """What the user did last."""

    form: str
    message: str
    """The user's last message."""

    is_open: bool


class TreeView(NamedTuple):
    """The trees of a kind, one for each company."""

    balance: Balance | None
    """`None` until they have grown to their ends."""

    companies: list[str]


def load_balance(person: Person, job_id: UUID, name: TreeName) -> TreeView:
    """Return how the trees of a study are spread.

    Raises:
        NotFoundError: the project has no study of this id, or it has no such trees.
    """
    place, request = _find(person, job_id, name)
    companies = list(request.companies)
    if read_piece(place, f"{name}-trees") is None:
        return TreeView(None, companies)
    kept = read_piece(place, f"{name}-balance")
    if kept is None:
        kept = _measure(place / name, request).model_dump(mode="json")
        write_piece(place, f"{name}-balance", kept)
    return TreeView(Balance.model_validate(kept), companies)


def list_tree_dialogues(
    person: Person, job_id: UUID, name: TreeName, company: str, behaviour: str
) -> list[DialogueRow]:
    """Return the first dialogues of a company's tree, of one behaviour or, if it is empty, of all.

    Raises:
        NotFoundError: there is no such study, tree or company.
    """
    place, request = _find(person, job_id, name)
    _check_company(request, company)
    found: list[DialogueRow] = []
    for branch in list_branches(place / name, company):
        if behaviour in ("", branch.tag):
            found.append(_row(company, branch))
        if len(found) == MOST_SHOWN:
            break
    return found


def open_dialogue(person: Person, job_id: UUID, name: TreeName, company: str, key: str) -> UUID:
    """Return the tape of a dialogue, which is stored when it is opened for the first time.

    Raises:
        NotFoundError: there is no such study, tree, company or dialogue.
    """
    place, request = _find(person, job_id, name)
    _check_company(request, company)
    place_in_tree = f"{name} {company} {key}"
    with transaction.atomic():
        lock_job(job_id)
        opened = read_piece(place, "opened") or {}
        known = opened.get(place_in_tree)
        if known is not None and list_titles(person.project_id, [UUID(known)]):
            return UUID(known)
        branches = list(list_branches(place / name, company))
        path = next((path for path in list_paths(branches) if path[-1].key == key), None)
        if path is None:
            raise NotFoundError("The tree has no such dialogue.", key=key)
        tape_id = _store(person, job_id, company, path)
        write_piece(place, "opened", {**opened, place_in_tree: str(tape_id)})
    return tape_id


def _store(person: Person, job_id: UUID, company: str, path: Sequence[Branch]) -> UUID:
    settings = StudySettings.model_validate(load_bulk_job(person, job_id, STUDY_KIND).request)
    batch = ensure_batch(person.project_id, f"{settings.name} opened", owner=person.user_id)
    metadata = TapeMetadata.model_validate(
        {"author": "form_teacher", "task": f"{company} {path[-1].tag} {path[-1].key}"}
    )
    (tape_id,) = save_tapes(
        person.project_id,
        [NewTape(Tape(metadata=metadata, steps=join_path(path)))],
        owner=person.user_id,
        batch=batch.id,
    )
    return tape_id


def _find(person: Person, job_id: UUID, name: TreeName) -> tuple[Path, TreeRequest]:
    job = load_bulk_job(person, job_id, STUDY_KIND)
    request = StudySettings.model_validate(job.request).trees.get(name)
    if request is None:
        raise NotFoundError(f"The study has no {name} trees.", tree=name)
    return folder_of(job_id), request


def _check_company(request: TreeRequest, company: str) -> None:
    if company not in request.companies:
        raise NotFoundError(f"There is no tree of {company!r}.", company=company)


def _measure(folder: Path, request: TreeRequest) -> Balance:
    depths, behaviours, forms = Counter[int](), Counter[str](), Counter[str]()
    open_count = 0
    for company in request.companies:
        for branch in list_branches(folder, company):
            depths[branch.depth] += 1
            behaviours[branch.tag] += 1
            forms[branch.group] += 1
            open_count += branch.is_open
    return Balance(
        companies=len(request.companies),
        count=depths.total(),
        open_count=open_count,
        depths=dict(sorted(depths.items())),
        behaviours=dict(behaviours.most_common()),
        forms=dict(forms.most_common()),
    )


def _row(company: str, branch: Branch) -> DialogueRow:
    message = next((step.get("content") for step in branch.steps if step.get("kind") == "user"), "")
    return DialogueRow(
        company=company,
        key=branch.key,
        depth=branch.depth,
        behaviour=branch.tag,
        form=branch.group,
        message=str(message),
        is_open=branch.is_open,
    )
