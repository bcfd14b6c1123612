"""Cards of sweeps: what a finished sweep was made of, and running it again from that."""

from collections.abc import Sequence
from uuid import UUID

from django.db import transaction

from optimize_app.evaluation.card import CardTasks, CardVariant, SweepCard
from optimize_app.evaluation.pins import DatasetPin, FunctionPin, ModelPin, Pins
from optimize_app.evaluation.plan import Plan, Variant
from optimize_app.evaluation.request import SWEEP_KIND
from optimize_app.evaluation.scoring.functions import check_function
from optimize_app.evaluation.scoring.scorers import JudgingScorer, Scorer, functions_of
from optimize_app.evaluation.scoring_request import ScoringRequest
from optimize_app.evaluation.services.suites.pinning import (
    hash_tasks,
    pin_functions,
    pin_model,
    pin_plan,
    pin_version,
)
from optimize_app.evaluation.services.sweeps.starting import choose_tasks, name_next, queue_plan
from tapes_app.agents.domain.rows import ModelRow
from tapes_app.agents.store.agents import find_agent
from tapes_app.agents.store.agents import list_versions as list_agent_versions
from tapes_app.agents.store.llm_models import find_model
from tapes_app.bulk.domain.version_refs import DatasetVersionRef
from tapes_app.bulk.store.dataset_versions import list_versions
from tapes_app.bulk.store.datasets import find_dataset
from tapes_app.engine.errors import ConflictError, InvalidInputError, NotFoundError
from tapes_app.jobs.domain.protocol import FINAL_STATES
from tapes_app.jobs.store.job import Job
from tapes_app.library.services.bulk_job import load_bulk_job
from tapes_app.library.services.selection import TapeSelection
from tapes_app.projects.services.people import Person


class CardMismatchError(ConflictError):
    """Something that the card names differs here."""

    code = "card_mismatch"


def load_card(person: Person, job_id: UUID) -> SweepCard:
    """Return the card of a finished sweep.

    Raises:
        NotFoundError: the project has no such sweep.
        ConflictError: it is still running, or it started before sweeps kept what they were made of.
    """
    job = load_bulk_job(person, job_id, SWEEP_KIND)
    if job.state not in FINAL_STATES:
        raise ConflictError("The sweep still runs; it has a card when it has finished.")
    card = _find_card(job)
    if card is None:
        raise ConflictError("This sweep kept no hashes of what it was made of; start it again.")
    return card


def find_digest(job: Job) -> str:
    """Return the hash of a sweep's card; empty where it has none."""
    card = _find_card(job) if job.state in FINAL_STATES else None
    return card.digest if card else ""


def _find_card(job: Job) -> SweepCard | None:
    plan = Plan.model_validate(job.request)
    return None if plan.pins is None else _write_card(plan, plan.pins)


def start_from_card(person: Person, card: SweepCard, *, name: str | None = None) -> Job:
    """Queue the sweep of a card again; without `name`, it is named `NAME, run 2`.

    Raises:
        InvalidInputError: the card was changed by hand.
        NotFoundError: an agent, a model, a dataset or a task that it names does not exist here.
        CardMismatchError: one of them differs here.
        ConflictError: a batch already has a name that the sweep needs.
    """
    if card.sealed().digest != card.digest:
        raise InvalidInputError(
            "The card was changed: its content does not match its hash. Use the card as it was "
            "exported, or start a sweep of your own."
        )
    with transaction.atomic():
        plan = _read_card(person, card, name or name_next(person, card.name))
        return queue_plan(person, pin_plan(person.project_id, plan))


def _write_card(plan: Plan, pins: Pins) -> SweepCard:
    return SweepCard(
        studio=pins.studio,
        name=plan.name,
        variants=tuple(
            CardVariant(pin=pin, parameters=variant.parameters)
            for pin, variant in zip(pins.variants, plan.variants, strict=True)
        ),
        seeds=plan.attempts,
        datasets=pins.datasets,
        tasks=tuple(
            CardTasks(tape_ids=group, digest=digest)
            for group, digest in zip(plan.tasks, pins.tasks, strict=True)
        ),
        order_seed=plan.order_seed,
        scoring=plan.scoring,
        judge=pins.judge,
        function=pins.function,
        tools=plan.tools,
        max_turns=plan.max_turns,
        concurrency=plan.concurrency,
        budget=plan.budget,
    ).sealed()


def _read_card(person: Person, card: SweepCard, name: str) -> Plan:
    stands_on = tuple(_find_dataset(person.project_id, one) for one in card.datasets)
    for group in card.tasks:
        _check_tasks(person, group, stands_on)
    return Plan(
        name=name,
        variants=tuple(_find_variant(person.project_id, one) for one in card.variants),
        attempts=card.seeds,
        tasks=tuple(group.tape_ids for group in card.tasks),
        order_seed=card.order_seed,
        tools=card.tools,
        max_turns=card.max_turns,
        concurrency=card.concurrency,
        budget=card.budget,
        scoring=_find_scoring(person.project_id, card),
        stands_on=stands_on,
    )


def _find_variant(project: UUID, one: CardVariant) -> Variant:
    pin = one.pin
    agent = find_agent(pin.agent, project)
    if agent is None:
        raise NotFoundError(f"The card names the agent {pin.agent!r}, which is not here.")
    same = (row for row in list_agent_versions(agent.id, project) if row.digest == pin.digest)
    version = next(same, None)
    if version is None:
        raise CardMismatchError(
            f"No version of the agent {pin.agent!r} has the hash that the card has of version "
            f"{pin.version}; import the agent from where the card was made."
        )
    model = None if pin.model is None else _find_model(project, pin.model)
    _check_models(pin.models, [] if model is None else [model], project)
    found = pin_version(project, version, model)
    if found.models != pin.models:
        named = ", ".join(repr(row.name) for row in found.models) or "none"
        raise CardMismatchError(
            f"The agent {pin.agent!r} asks different models here than on the card: {named}."
        )
    return Variant(
        agent_version_id=version.id,
        model_id=model.id if model else None,
        parameters=one.parameters,
    )


def _check_models(pins: Sequence[ModelPin], found: Sequence[ModelRow], project: UUID) -> None:
    known = {row.name: row for row in found}
    for pin in pins:
        row = known.get(pin.name) or _find_model(project, pin.name)
        if pin_model(row).digest != pin.digest:
            raise CardMismatchError(
                f"The model {pin.name!r} differs from the one on the card: its parameters, its "
                "address or its provider's name for it."
            )


def _find_model(project: UUID, name: str) -> ModelRow:
    found = find_model(name, project)
    if found is None:
        raise NotFoundError(f"The card names the model {name!r}, which is not here; add it.")
    return found


def _find_scoring(project: UUID, card: SweepCard) -> ScoringRequest | None:
    scoring = card.scoring
    if scoring is not None and card.function is not None:
        _check_functions(card.function, scoring.scorer)
    if scoring is None or not isinstance(scoring.scorer, JudgingScorer):
        return scoring
    if card.judge is None:
        raise InvalidInputError("The card needs a judge but does not name one.")
    judge = _find_model(project, card.judge.name)
    _check_models([card.judge], [judge], project)
    scorer = scoring.scorer.model_copy(update={"model_id": judge.id})
    return scoring.model_copy(update={"scorer": scorer})


def _check_functions(pin: FunctionPin, scorer: Scorer) -> None:
    for name in functions_of(scorer):
        check_function(name)
    if pin_functions(scorer) != pin:
        raise CardMismatchError(
            f"The scorer function {pin.name!r} differs from the one on the card: its file has "
            "changed."
        )


def _find_dataset(project: UUID, one: DatasetPin) -> DatasetVersionRef:
    row = find_dataset(one.name, project)
    if row is None:
        raise NotFoundError(f"The card names the dataset {one.name!r}, which is not here.")
    versions = {version.number: version for version in list_versions(row.id, project)}
    version = versions.get(one.version)
    if version is None or version.content_hash != one.digest:
        raise CardMismatchError(
            f"Version {one.version} of the dataset {one.name!r} is not here, or its tapes and "
            "expected answers are not those of the card."
        )
    return DatasetVersionRef(
        dataset_id=row.id,
        dataset=row.name,
        version=one.version,
        tape_count=version.tape_count,
    )


def _check_tasks(person: Person, group: CardTasks, stands_on: Sequence[DatasetVersionRef]) -> None:
    choose_tasks(person, TapeSelection(tape_ids=group.tape_ids))
    if hash_tasks(group.tape_ids, stands_on) != group.digest:
        raise CardMismatchError(
            "The expected answers of the tasks differ from the card: somebody has changed them "
            "since. A sweep over a dataset keeps them by its version."
        )
