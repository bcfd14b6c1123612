"""Diffs of two tapes, and replays of one."""

from tapes_app.projects.api.bodies import Out
from tapes_app.tapes.services.field_changes import FieldChange


class FieldDiffListOut(Out):
    """What differs between two prompts, in the order of the prompts."""

    fields: list[FieldChange]
