"""Tapes without opening them: what a list has in common, and the preview of one."""

from ninja import Schema

from tapes_app.library.store.preview import KeyStep
from tapes_app.lint.api.schemas import LintSeverity
from tapes_app.lint.services.lists import title_of
from tapes_app.lint.store.marks import TapeMark
from tapes_app.projects.api.bodies import Out
from tapes_app.tapes.rows import TapeRow


class PreviewFindingOut(Schema):
    """What a detector or rule of the linter found, and the first step that it is about."""

    detector: str
    title: str
    severity: LintSeverity
    count: int
    position: int

    @staticmethod
    def resolve_title(mark: TapeMark) -> str:
        return title_of(mark.detector)


class TapePreviewOut(Out):
    """What a tape is about, without opening it: first steps, the first failing one, last ones."""

    tape: TapeRow
    agent_version: int | None
    findings: list[PreviewFindingOut]
    """Of the last time that the linter looked."""

    first_error: int | None
    """Position of the first step that reports an error."""

    steps: list[KeyStep]
