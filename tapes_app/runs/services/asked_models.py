"""The models that a run would ask: the members of its team, their models, and the prices.

Only work of the same agent with the same models indicates what a run will take.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID

from tapes_app.agents.domain.rows import AgentVersionRow, ModelRow
from tapes_app.agents.services.llm_configs import price_sheet
from tapes_app.agents.store import llm_models
from tapes_app.engine.agent.spec import AgentSpec
from tapes_app.engine.model.llm import SCRIPT_PREFIX
from tapes_app.llms.pricing import PriceSheet
from tapes_app.runs.store.basis import StepCall

_FREE = PriceSheet(input=0, output=0, cache_read=0, cache_write=0)


@dataclass(frozen=True)
class AskedModels:
    """An agent with the models that its run would ask, named as in recorded calls."""

    agent_id: UUID
    members: frozenset[str]
    models: frozenset[str]
    prices: PriceSheet | None
    """Prices of the only model; `None` if they are unknown or there are several models."""

    def made(self, row: StepCall) -> bool:
        """Return whether this agent made a step by asking one of these models."""
        return row.agent in self.members and row.model_name in self.models


def find_asked_models(
    project: UUID, version: AgentVersionRow, model_id: UUID | None
) -> AskedModels:
    """Return the models that a version would ask; `model_id` replaces all of them.

    Raises:
        NotFoundError: no such model in the project.
    """
    members = frozenset(path for path, _ in walk_team(version.spec))
    names, prices = (
        _own_models(project, version.spec)
        if model_id is None
        else _one_model(llm_models.load_model(model_id, project))
    )
    return AskedModels(version.agent_id, members, names, prices)


def _one_model(model: ModelRow) -> tuple[frozenset[str], PriceSheet]:
    # Recorded calls may have been paid to another provider: without prices, the cost is unknown.
    return frozenset({model.litellm_model}), _prices_of(model) or PriceSheet()


def _own_models(project: UUID, spec: AgentSpec) -> tuple[frozenset[str], PriceSheet | None]:
    """Return the models of a spec, and their prices; with several models, recorded costs count."""
    named = {llm.model for _, member in walk_team(spec) for llm in member.llms.values()}
    scripts = {name for name in named if name.startswith(SCRIPT_PREFIX)}
    found = [llm_models.find_model(name, project) for name in sorted(named - scripts)]
    models: Sequence[ModelRow] = [model for model in found if model is not None]
    names = scripts | {model.litellm_model for model in models}
    if named and named == scripts:
        return frozenset(names), _FREE
    only = models[0] if len(named) == 1 and models else None
    return frozenset(names), _prices_of(only) if only else None


def _prices_of(model: ModelRow) -> PriceSheet | None:
    sheet = price_sheet(model)
    if sheet is None and model.litellm_model.startswith(SCRIPT_PREFIX):
        return _FREE
    return sheet


def walk_team(spec: AgentSpec, path: str = "") -> Iterator[tuple[str, AgentSpec]]:
    """Yield an agent and all of its subagents, each with the path that its steps name."""
    own = f"{path}/{spec.name}" if path else spec.name
    yield own, spec
    for member in spec.subagents:
        yield from walk_team(member, own)
