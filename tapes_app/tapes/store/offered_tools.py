"""The tools that the models of a tape were offered, and those called in its family."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cache
from typing import Any
from uuid import UUID

from tapes_app.engine.environment.described_tools import GoneTool
from tapes_app.engine.environment.tool_functions import FindStandIn
from tapes_app.engine.errors import NotFoundError
from tapes_app.models import ContentRecord, StepRecord, TapeRecord
from tapes_app.tapes.store.access import get_spans, get_tape, is_of_family, spans_filter
from tapes_app.tapes.store.recorded_calls import list_lineage

_MOST_ANCESTORS = 20
"""How many ancestors are searched."""


def list_offered_tools(tape_id: UUID, project: UUID) -> list[dict[str, Any]]:
    """Return the tools in the prompts of a tape's calls, each list once.

    Raises:
        NotFoundError: there is no such tape in this project.
    """
    steps = StepRecord.objects.filter(
        spans_filter(get_spans(tape_id, project)), llm_call__isnull=False
    )
    digests = steps.order_by().values_list("llm_call__settings_id", flat=True).distinct()
    return load_tools([bytes(digest) for digest in digests])


def find_offered_tool(tape_id: UUID, project: UUID, name: str) -> dict[str, Any] | None:
    """Return a tool as the calls of a tape offered it, or else those of its nearest ancestor.

    Raises:
        NotFoundError: there is no such tape in this project.
    """
    for ancestor in list_lineage(tape_id, project)[: _MOST_ANCESTORS + 1]:
        with suppress(NotFoundError):  # this ancestor was deleted
            for tool in list_offered_tools(ancestor, project):
                function = tool.get("function")
                if isinstance(function, dict) and function.get("name") == name:
                    return tool
    return None


def stand_ins_of(tape_id: UUID, project: UUID) -> FindStandIn:
    """Return what finds a tool as the calls of a tape offered it, for the agent that wrote it."""

    @cache  # all nodes of a team must offer the same one
    def find(used_as: str) -> GoneTool | None:
        found = find_offered_tool(tape_id, project, used_as.rpartition(".")[2])
        return None if found is None else GoneTool(used_as, found)

    return find


def list_called_tools(tape_id: UUID, project: UUID) -> list[str]:
    """Return the names of the tools that were called in a tape's family, each once.

    Raises:
        NotFoundError: there is no such tape in this project.
    """
    tape = get_tape(tape_id, project)
    family = TapeRecord.objects.filter(is_of_family(tape.root_id or tape.id)).order_by()
    steps = StepRecord.objects.filter(log_id__in=family.values("id"), tools__gt="").order_by()
    called = steps.values_list("tools", flat=True).distinct()
    return sorted({name for names in called for name in (names or "").split()})


def load_tools(digests: Sequence[bytes]) -> list[dict[str, Any]]:
    """Return the tools in some settings of calls."""
    return [tool for tools in load_tool_lists(digests).values() for tool in tools]


def load_tool_lists(digests: Iterable[bytes]) -> dict[bytes, list[dict[str, Any]]]:
    """Return the tools in each of the given settings of calls, in the order of their digests."""
    settings = ContentRecord.objects.filter(digest__in=list(digests)).order_by("digest")
    offered = {
        bytes(digest): body.get("tools") for digest, body in settings.values_list("digest", "body")
    }
    return {
        digest: [tool for tool in tools if isinstance(tool, dict)]
        for digest, tools in offered.items()
        if isinstance(tools, list)
    }
