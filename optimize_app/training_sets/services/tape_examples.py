"""The examples of a stored tape: its recorded calls, rebuilt calls, or edits with originals."""

import asyncio
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import assert_never
from uuid import UUID

from optimize_app.training_sets.examples import (
    Origin,
    digest_prompt,
    list_recorded,
    make_example,
)
from optimize_app.training_sets.recorded_tokens import take_tokens
from optimize_app.training_sets.samples import ChatExample, PreferencePair, Sample, TokenExample
from optimize_app.training_sets.services.relabeling import Teacher
from optimize_app.training_sets.services.request import Source
from optimize_app.training_sets.token_reader import TokenReader
from tapes_app.agents.services.agents import build_replay_agent
from tapes_app.engine.agent.reuse import reuse_tape
from tapes_app.engine.errors import StudioError, TrainingTextError
from tapes_app.tapes.domain.rows import TapeRow
from tapes_app.tapes.store.calls import list_calls
from tapes_app.tapes.store.headers import load_header, load_outline
from tapes_app.tapes.store.loading import load_part, load_tape

Found = Sample | str
"""An example, or why a call gives none."""

NO_ORIGINAL = "A person wrote it, and no model answered that prompt, so there is nothing to prefer."
SAME_ANSWER = "What a person wrote comes to the same answer as the original."


def find_task(project: UUID, row: TapeRow) -> str:
    """Return what a tape is an attempt at: its task, or the text of its first step."""
    if row.task:
        return f"task {row.task}"
    first = load_part(row.id, project, end=1)
    return f"begins {first[0].content_dict()}" if first else f"tape {row.id}"


def list_examples(
    project: UUID,
    tape_id: UUID,
    source: Source,
    teacher: Teacher,
    reader: TokenReader | None,
    kept: Mapping[int, str],
) -> Iterator[Found]:
    """Yield the examples of a tape, or why a call gives none; with a reader, as recorded tokens.

    `kept`: why steps are not learnt, by position.

    Raises:
        TrainingTextError: the tape has no agent here to rebuild its calls, or no original.
        ReuseError: its agent would not write the same tape again; the message names the step.
    """
    match source:
        case "recorded":
            return list_recorded_calls(project, tape_id, reader, kept)
        case "rebuilt":
            return _rebuild(project, tape_id, _load_version(project, tape_id), kept)
        case "edits":
            return _list_pairs(project, tape_id, kept)
        case "relabeled":
            return teacher.label(tape_id, kept)
        case "groups" | "mixture":
            raise ValueError(f"{source} needs more than one tape")
    assert_never(source)


def list_recorded_calls(
    project: UUID,
    tape_id: UUID,
    reader: TokenReader | None,
    kept: Mapping[int, str],
    *,
    is_own: bool = False,
) -> Iterator[ChatExample | TokenExample | str]:
    """Yield the recorded calls of a tape; `is_own`: only those that it does not share."""
    calls = {row.id: row.call for row in list_calls(tape_id, project)}
    steps = load_outline(tape_id, project)
    chosen = [step for step in steps if step.is_own or not is_own]
    found = list_recorded(tape_id, chosen, calls, kept)
    return found if reader is None else take_tokens(found, calls, reader)


def _load_version(project: UUID, tape_id: UUID) -> UUID:
    version = load_header(tape_id, project).agent_version_id
    if version is None:
        raise TrainingTextError("Its agent is not in this project, so calls cannot be rebuilt.")
    return version


def _rebuild(
    project: UUID,
    tape_id: UUID,
    version: UUID,
    kept: Mapping[int, str],
    *,
    by_person_alone: bool = False,
) -> Iterator[ChatExample | str]:
    """Yield the calls that an agent would have needed to write the tape.

    `by_person_alone`: only those whose answer a person wrote, at least in part.
    """
    tape = load_tape(tape_id, project)
    reused = asyncio.run(reuse_tape(build_replay_agent(project, version, tape_id), tape))
    positions: dict[str, list[int]] = {}
    for position, step in enumerate(reused.tape.steps):
        positions.setdefault(step.metadata.prompt_id, []).append(position)
    by_person = {
        step.position for step in load_outline(tape_id, project) if step.writer == "person"
    }
    for call in reused.calls:
        written = positions[call.prompt.id]
        is_by_person = bool(by_person.intersection(written))
        if by_person_alone and not is_by_person:
            continue
        if why := next((kept[position] for position in written if position in kept), ""):
            yield why
            continue
        origin = Origin(tape_id, written[0], "person" if is_by_person else "model")
        yield make_example(call, name=f"{tape_id}/{written[0]}", origin=origin)


def _list_pairs(
    project: UUID, tape_id: UUID, kept: Mapping[int, str]
) -> Iterator[PreferencePair | str]:
    """Yield a person's text paired with what the model had answered to the same prompt."""
    parent = load_header(tape_id, project).parent_id
    if parent is None:
        raise TrainingTextError("It is not an edit of another tape, so there is no original.")
    version = _load_version(project, tape_id)
    originals: dict[bytes, ChatExample] = {}
    for one in chain(
        _rebuild_safely(project, parent, version), list_recorded_calls(project, parent, None, {})
    ):
        if isinstance(one, ChatExample):  # recorded calls take precedence over rebuilt ones
            originals[digest_prompt(one)] = one
    for chosen in _rebuild(project, tape_id, version, kept, by_person_alone=True):
        if isinstance(chosen, str):
            yield chosen
            continue
        original = originals.get(digest_prompt(chosen))
        if original is None:
            yield NO_ORIGINAL
        elif original.answer == chosen.answer:
            yield SAME_ANSWER
        else:
            yield PreferencePair(
                id=chosen.id, origin=chosen.origin, chosen=chosen, rejected=original
            )


def _rebuild_safely(project: UUID, tape_id: UUID, version: UUID) -> Iterator[ChatExample | str]:
    """Yield the rebuilt calls of an original; none if its agent would write another tape now."""
    try:
        yield from _rebuild(project, tape_id, version, {})
    except StudioError:
        return
