"""Which models agents made from other things have: those of the project, or the stand-in."""

from uuid import UUID

from tapes_app.agents.store import llm_models
from tapes_app.authoring.domain.foreign.building import Models
from tapes_app.engine.agent.stand_in import STAND_IN
from tapes_app.engine.model.llm import SCRIPT_PREFIX


def list_usual_models(project: UUID) -> Models:
    """Return a project's models by their names and by what their providers call them.

    The usual one is the project's only model, or else the stand-in until somebody chooses one.
    """
    rows = llm_models.list_models(project)
    called = {row.litellm_model.rpartition("/")[2]: row.name for row in rows}
    known = (
        called
        | {row.litellm_model: row.name for row in rows}
        | {row.name: row.name for row in rows}
    )
    return Models(known, rows[0].name if len(rows) == 1 else SCRIPT_PREFIX + STAND_IN)
