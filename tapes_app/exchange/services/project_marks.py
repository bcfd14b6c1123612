"""What people said of tapes in the list, taken in from the file of a project."""

from collections.abc import Callable, Sequence
from uuid import UUID

from tapes_app.bulk.store.tags import change_tags, clean_tag
from tapes_app.engine.errors import StudioError
from tapes_app.interchange.project_file import MarkPart
from tapes_app.library.store.plans import TapeFilter
from tapes_app.projects.services.people import Person
from tapes_app.tapes.store.marks import mark_tape
from tapes_app.tapes.store.outcomes import read_verdict

Find = Callable[[str], UUID | None]
"""Finds a tape of the project by the id that it had in its file."""


def take_marks(person: Person, parts: Sequence[MarkPart], find: Find, problems: list[str]) -> int:
    """Mark tapes as they were marked elsewhere; return how many that are.

    A tape that is not found is left out without a word: its import has said why it is not there.
    """
    tagged: dict[str, list[UUID]] = {}
    marked = 0
    for part in parts:
        tape = find(part.tape)
        if tape is None:
            continue
        try:
            for tag in part.tags:
                tagged.setdefault(clean_tag(tag), []).append(tape)
            _mark(person, tape, part)
        except StudioError as error:
            problems.append(f"marks of tape {part.tape!r}: {error.message}")
        else:
            marked += 1
    for tag, tapes in tagged.items():
        chosen = TapeFilter(ids=tuple(tapes))
        change_tags(person.project_id, chosen, add=[tag], remove=(), owner=person.user_id)
    return marked


def _mark(person: Person, tape: UUID, part: MarkPart) -> None:
    verdict = {name: getattr(part, name) for name in ("task", "expected", "outcome", "score")}
    mark_tape(
        tape,
        person.project_id,
        title=part.title or None,
        is_archived=False,  # only then does it get its title
        is_pinned=part.is_pinned,
        is_kept_from_training=part.is_kept_from_training,
        split=part.split,
        verdict=read_verdict(verdict),
    )
    if part.is_archived:
        mark_tape(tape, person.project_id, is_archived=True)
