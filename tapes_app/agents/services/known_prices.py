"""Checks that the models of an agent have prices, so that dollars can be counted."""

import asyncio
from collections.abc import Iterable
from uuid import UUID

from tapes_app.agents.services.agents import build_live_agent
from tapes_app.engine.errors import InvalidInputError
from tapes_app.engine.model.llm import LLM, Usage
from tapes_app.llms.remote import RemoteLLM

_ANY_CALL = Usage(input_tokens=1, output_tokens=1)


class PriceUnknownError(InvalidInputError):
    """A budget in dollars was set for a model with an unknown price."""

    code = "price_unknown"


def require_prices(
    project_id: UUID, version_id: UUID, *, model_id: UUID | None, instead: str
) -> None:
    """Refuse an agent whose spending cannot be counted; `instead` names what can be limited.

    Raises:
        PriceUnknownError: one of its models has neither its own nor a listed price.
        NotFoundError: there is no such version or model in the project.
        ModelKeyMissingError: a model cannot be called.
    """
    team = build_live_agent(project_id, version_id, model_id=model_id).agent.walk()
    require_priced((llm for _, one in team for llm in one.llms.values()), instead=instead)


def require_priced(llms: Iterable[LLM], *, instead: str) -> None:
    """Refuse models whose spending cannot be counted; `instead` names what can be limited.

    Raises:
        PriceUnknownError: one has neither its own nor a listed price.
    """
    unpriced = asyncio.run(_list_unpriced(llms))
    if unpriced:
        raise PriceUnknownError(
            f"The price of the model {unpriced[0]!r} is unknown, so a budget in dollars cannot be "
            f"kept. Enter its prices under Models, or limit {instead} instead.",
            model=unpriced[0],
            field="budget.micro_usd",
        )


async def _list_unpriced(llms: Iterable[LLM]) -> list[str]:
    return [
        llm.config.label
        for llm in llms
        if isinstance(llm, RemoteLLM) and await llm.price(_ANY_CALL) is None
    ]
