"""The key of a model retired by an operator: gone from the database, and asked with no more."""

from uuid import UUID

from tapes_app.agents.rows import ModelRow
from tapes_app.agents.store import llm_models
from tapes_app.engine.errors import ConflictError


def retire_key(model_id: UUID, project_id: UUID) -> ModelRow:
    """Take a model's key away; return the model as it was, with the name of its variable.

    Runs that start from then on, or go on after a pause, are refused with a sentence until it is
    given a new key.

    Raises:
        NotFoundError: no such model in this project.
        ConflictError: it has no key, or the studio serves it and makes its key itself.
    """
    row = llm_models.load_model(model_id, project_id)
    if row.is_served_here:
        raise ConflictError(
            f"The studio serves {row.name!r} with a key of its own; stop serving it instead."
        )
    if not row.has_api_key and not row.api_key_env:
        raise ConflictError(f"Model {row.name!r} has no key to retire.")
    llm_models.take_key(model_id, project_id)
    return row


def describe_retired(row: ModelRow) -> str:
    """Return what was taken away, and what an operator has to do besides."""
    if row.api_key_env:
        return (
            f"The key of {row.name} is retired: it reads the variable {row.api_key_env} no longer, "
            "which the server still has."
        )
    return f"The key of {row.name} is retired and removed from the database."
