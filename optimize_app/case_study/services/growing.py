"""Growing the dialogue trees of a few companies, one folder each."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from optimize_app.case_study.settings import TreeRequest
from optimize_app.tape_trees.branch_file import open_tree, read_branches
from optimize_app.tape_trees.branches import Branch
from optimize_app.tape_trees.growth import grow_tree
from tapes_app.agents.services.agents import build_live_agent
from tapes_app.agents.store.agents import ensure_version
from tapes_app.agents.store.llm_models import find_model
from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.agent.registration import gallery_agents
from tapes_app.engine.errors import NotFoundError
from tapes_app.gallery.form_filler.assistant import teacher
from tapes_app.gallery.form_filler.tree import FormDialogues, TreeSettings
from tapes_app.projects.services.people import Person


@dataclass(frozen=True)
class TreeFacts:
    """How a tree is balanced."""

    count: int
    depths: dict[int, int]
    tags: dict[str, int]
    groups: dict[str, int]
    open_count: int
    size_bytes: int


def grow_trees(
    person: Person,
    request: TreeRequest,
    folder: Path,
    on_grown: Callable[[str, int], None] = lambda _company, _count: None,
) -> int:
    """Grow the trees that are not there to their ends, and return how many branches are new.

    Raises:
        ConflictError: the folder has trees with other settings.
        NotFoundError: the project has no such model.
        AgentConfigError: there is no such company.
    """
    agent = build_teacher(person, request)
    new = 0
    for company in request.companies:
        file = open_tree(folder / company, request.identity)
        world = FormDialogues(
            agent,
            TreeSettings(
                company=company, seed=request.seed, phrases=request.phrases, users=request.width
            ),
        )

        def report(count: int, company: str = company) -> None:
            on_grown(company, count)

        new += asyncio.run(grow_tree(world, request.growth, file, report))
    return new


def build_teacher(person: Person, request: TreeRequest) -> Agent:
    """Return the teacher with its model, or its script with mistakes."""
    project, spec = person.project_id, gallery_agents.get(teacher.NAME)()
    version = ensure_version(project, spec, owner=person.user_id)
    if request.teacher:
        model = find_model(request.teacher, project)
        if model is None:
            raise NotFoundError(
                f"There is no model {request.teacher!r}. Add it on the Models page first."
            )
        return build_live_agent(project, version.id, model_id=model.id).agent
    script = {"error_rate": request.error_rate, "seed": request.seed}
    return build_live_agent(project, version.id, parameters={"script": script}).agent


def list_branches(folder: Path, company: str) -> Iterator[Branch]:
    return read_branches(folder / company / "branches.jsonl")


def describe_tree(folder: Path, company: str) -> TreeFacts:
    branches = list(list_branches(folder, company))
    return TreeFacts(
        count=len(branches),
        depths=dict(Counter(branch.depth for branch in branches)),
        tags=dict(Counter(branch.tag for branch in branches)),
        groups=dict(Counter(branch.group for branch in branches)),
        open_count=sum(branch.is_open for branch in branches),
        size_bytes=(folder / company / "branches.jsonl").stat().st_size,
    )
