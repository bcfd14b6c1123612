"""The kinds of steps that the agent of a tape defines, as its version had them."""

from uuid import UUID

from tapes_app.agents.store import agents
from tapes_app.engine.errors import StudioError
from tapes_app.engine.tape.defined_steps import NO_KINDS, StepClassesByName, build_step_classes


def load_defined_kinds(project_id: UUID, version_id: UUID | None) -> StepClassesByName:
    """Return the step classes of a version's own kinds; none if they cannot be built any more."""
    if version_id is None:
        return NO_KINDS
    try:
        return build_step_classes(agents.load_version(version_id, project_id).spec.kinds)
    except StudioError:  # the agent is gone, or a plugin has taken a name; tapes stay readable
        return NO_KINDS
