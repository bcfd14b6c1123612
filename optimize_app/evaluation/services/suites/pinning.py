"""Pinning what a sweep starts with, by hash: agents, the models that they ask, and tasks."""

from collections.abc import Iterable, Sequence
from uuid import UUID

from optimize_app.evaluation.pins import DatasetPin, FunctionPin, ModelPin, Pins, VariantPin
from optimize_app.evaluation.plan import Plan, Variant
from optimize_app.evaluation.scoring.functions import hash_code
from optimize_app.evaluation.scoring.scorers import JudgingScorer, Scorer, functions_of
from tapes_app.agents.domain.rows import AgentVersionRow, ModelRow
from tapes_app.agents.store.agents import load_version
from tapes_app.agents.store.llm_models import find_model, load_model
from tapes_app.bulk.domain.version_refs import DatasetVersionRef
from tapes_app.bulk.store.dataset_versions import (
    hash_members,
    list_versions,
    read_expected,
    read_now,
)
from tapes_app.engine.agent.spec import AgentSpec
from tapes_app.engine.model.messages import digest_json
from tapes_app.projects.services.session import read_version
from tapes_app.runs.services.asked_models import walk_team


def pin_plan(project: UUID, plan: Plan) -> Plan:
    """Return a plan that pins the current state of its new variants and tasks; earlier pins stay.

    Raises:
        NotFoundError: no such agent version or model in the project.
    """
    before = plan.pins or Pins(studio=read_version(), variants=(), datasets=(), tasks=())
    variants = plan.variants[len(before.variants) :]
    datasets = plan.stands_on[len(before.datasets) :]
    groups = plan.tasks[len(before.tasks) :]
    scorer = plan.scoring.scorer if plan.scoring else None
    judge = before.judge
    if judge is None and isinstance(scorer, JudgingScorer):
        judge = pin_model(load_model(scorer.model_id, project))
    function = before.function
    if function is None and scorer is not None:
        function = pin_functions(scorer)
    pins = Pins(
        studio=before.studio,
        variants=(*before.variants, *(_pin_variant(project, one) for one in variants)),
        datasets=(*before.datasets, *(_pin_dataset(project, one) for one in datasets)),
        tasks=(*before.tasks, *(hash_tasks(group, plan.stands_on) for group in groups)),
        judge=judge,
        function=function,
    )
    return plan.model_copy(update={"pins": pins})


def pin_functions(scorer: Scorer) -> FunctionPin | None:
    """Return the functions that a scorer calls as one pin; `None`: it calls none."""
    names = functions_of(scorer)
    if not names:
        return None
    hashes = [hash_code(name) for name in names]
    digest = hashes[0] if len(hashes) == 1 else digest_json(hashes).hex()
    return FunctionPin(name=", ".join(names), digest=digest)


def pin_model(row: ModelRow) -> ModelPin:
    # For a model that the studio serves, the address changes with every start.
    address = "" if row.is_served_here else row.base_url
    content = [row.name, row.litellm_model, address, row.parameters]
    return ModelPin(
        name=row.name,
        litellm_model=row.litellm_model,
        parameters=row.parameters,
        digest=digest_json(content).hex(),
    )


def pin_version(project: UUID, version: AgentVersionRow, model: ModelRow | None) -> VariantPin:
    """Return the pin of a version, with the models that it asks."""
    named = [model] if model else _list_own_models(project, version.spec)
    return VariantPin(
        agent=version.agent_name,
        version=version.number,
        digest=version.digest,
        model=model.name if model else None,
        models=tuple(map(pin_model, named)),
    )


def _pin_variant(project: UUID, variant: Variant) -> VariantPin:
    version = load_version(variant.agent_version_id, project)
    model = load_model(variant.model_id, project) if variant.model_id else None
    return pin_version(project, version, model)


def _list_own_models(project: UUID, spec: AgentSpec) -> list[ModelRow]:
    named = {llm.model for _, member in walk_team(spec) for llm in member.llms.values()}
    found = (find_model(name, project) for name in sorted(named))
    return [model for model in found if model is not None]


def _pin_dataset(project: UUID, one: DatasetVersionRef) -> DatasetPin:
    """Return a dataset version's name and hash; the hash is empty if there is no such version."""
    hashes = {row.number: row.content_hash for row in list_versions(one.dataset_id, project)}
    digest = hashes.get(one.version, "")
    return DatasetPin(name=one.dataset, version=one.version, digest=digest)


def hash_tasks(tasks: Sequence[UUID], stands_on: Iterable[DatasetVersionRef]) -> str:
    """Hash tapes with their expected answers: of their dataset version, or the current ones."""
    expected = read_now(tasks)
    for one in stands_on:
        expected |= dict(read_expected(one.dataset_id, one.version, tasks))
    return hash_members(expected)
