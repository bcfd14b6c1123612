"""The better and the worse of two branches: stored as labels, exported as one training example."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal
from uuid import UUID

from django.db import transaction

from tapes_app.annotation.store.annotations import add_annotation, list_annotations
from tapes_app.annotation.store.rows import Anchor, Content
from tapes_app.engine.errors import ConflictError, InvalidInputError
from tapes_app.engine.model.llm import LLMOutput
from tapes_app.engine.prompts.chat_messages import fill_arguments, step_to_message
from tapes_app.engine.tape.steps import Step
from tapes_app.engine.tape.tape import Tape
from tapes_app.experiments.store import branches as branch_storage
from tapes_app.experiments.store.branches import BranchRow
from tapes_app.projects.services.people import Person
from tapes_app.tapes.store import calls as call_storage
from tapes_app.tapes.store import loading as tape_loading

TRAINING_SET = "training set"
PREFERENCE_PAIR = "preference pair"
Source = Literal["call", "steps"]


@dataclass(frozen=True)
class PreferencePair:
    """One example in chat form: the prompt, the better and the worse answer."""

    prompt: list[dict[str, Any]]
    chosen: list[dict[str, Any]]
    rejected: list[dict[str, Any]]
    source: Source
    """`call`: both models answered exactly this prompt. `steps`: the two tapes' common steps
    stand in for the prompt, because no prompt was asked on both.
    """

    chosen_tape_id: UUID
    rejected_tape_id: UUID
    chosen_score: float | None
    rejected_score: float | None

    def to_line(self) -> dict[str, Any]:
        """Return the example as training tools read it, with its origin."""
        return {
            "prompt": [fill_arguments(message) for message in self.prompt],
            "chosen": [fill_arguments(message) for message in self.chosen],
            "rejected": [fill_arguments(message) for message in self.rejected],
            "metadata": {
                "source": self.source,
                "chosen_tape_id": str(self.chosen_tape_id),
                "rejected_tape_id": str(self.rejected_tape_id),
                "chosen_score": self.chosen_score,
                "rejected_score": self.rejected_score,
            },
        }


def label_for_training(person: Person, experiment_id: UUID, number: int) -> None:
    """Mark a branch's tape as one to train on.

    Raises:
        NotFoundError: there is no such branch.
    """
    branch = branch_storage.load_branch(experiment_id, number, person.project_id)
    details = {"experiment_id": str(experiment_id), "branch": number}
    _label(person, branch, TRAINING_SET, details)


def label_pair(person: Person, experiment_id: UUID, *, best: int, worst: int) -> None:
    """Mark two branches as a preference pair; each label names the other branch.

    Raises:
        InvalidInputError: they are the same branch.
        ConflictError: they have the same text.
    """
    pair = build_pair(person.project_id, experiment_id, best=best, worst=worst)
    sides = {
        best: ("chosen", pair.rejected_tape_id, worst),
        worst: ("rejected", pair.chosen_tape_id, best),
    }
    with transaction.atomic():
        for number, (role, partner, partner_number) in sides.items():
            details = {
                "experiment_id": str(experiment_id),
                "branch": number,
                "role": role,
                "partner_tape_id": str(partner),
                "partner_branch": partner_number,
            }
            branch = branch_storage.load_branch(experiment_id, number, person.project_id)
            _label(person, branch, PREFERENCE_PAIR, details)


def build_pair(project: UUID, experiment_id: UUID, *, best: int, worst: int) -> PreferencePair:
    """Return two branches as one preference example.

    Raises:
        NotFoundError: there is no such branch.
        InvalidInputError: they are the same branch.
        ConflictError: they have the same text, so there is nothing to prefer.
    """
    if best == worst:
        raise InvalidInputError(
            "A pair needs two different branches; choose another one.", branch=best
        )
    better = branch_storage.load_branch(experiment_id, best, project)
    worse = branch_storage.load_branch(experiment_id, worst, project)
    found = _pair_calls(project, better, worse) or _pair_steps(project, better, worse)
    if found is None:
        raise ConflictError(
            f"Branches {best} and {worst} have the same text, so neither can be preferred.",
            best=best,
            worst=worst,
        )
    return PreferencePair(
        *found,
        chosen_tape_id=better.tape_id,
        rejected_tape_id=worse.tape_id,
        chosen_score=better.score,
        rejected_score=worse.score,
    )


@dataclass(frozen=True)
class LabelledPair:
    """Two branches that somebody labeled; the requested tape is that of the better one."""

    experiment_id: UUID
    best: int
    worst: int
    rejected_tape_id: UUID


def list_pairs(project: UUID, tape_id: UUID) -> list[LabelledPair]:
    """Return the pairs in which a tape is the better one, each once.

    Raises:
        NotFoundError: no such tape in the project.
    """
    found: dict[LabelledPair, None] = {}
    for row in list_annotations(tape_id, project):
        details = row.details
        if row.tape_id != tape_id or (row.kind, row.name) != ("label", PREFERENCE_PAIR):
            continue
        if details.get("role") == "chosen" and details.get("partner_branch") is not None:
            pair = LabelledPair(
                UUID(details["experiment_id"]),
                details["branch"],
                details["partner_branch"],
                UUID(details["partner_tape_id"]),
            )
            found[pair] = None
    return list(found)


_Found = tuple[list[dict[str, Any]], list[dict[str, Any]], list[dict[str, Any]], Source]


def _pair_calls(project: UUID, better: BranchRow, worse: BranchRow) -> _Found | None:
    """Return the first prompt that both were asked and answered differently."""
    mine, other = (
        [row.call for row in call_storage.list_calls(branch.tape_id, project)]
        for branch in (better, worse)
    )
    by_prompt = {call.prompt.digest: call for call in reversed(other) if not call.error}
    for call in mine:
        rival = by_prompt.get(call.prompt.digest)
        if rival is None or call.error:
            continue
        chosen, rejected = (_answer(one.output) for one in (call, rival))
        if _without_ids(chosen) != _without_ids(rejected):
            prompt = [dict(message) for message in call.prompt.messages]
            return prompt, [chosen], [rejected], "call"
    return None


def _pair_steps(project: UUID, better: BranchRow, worse: BranchRow) -> _Found | None:
    """Return the steps that both share as the prompt, and the rest of each as its answer."""
    chosen, rejected = (
        tape_loading.load_tape(branch.tape_id, project) for branch in (better, worse)
    )
    shared = _count_shared(chosen, rejected)
    sides = [_messages_of(tape.steps[shared:]) for tape in (chosen, rejected)]
    if not all(sides) or sides[0] == sides[1]:
        return None
    return _messages_of(chosen.steps[:shared]), sides[0], sides[1], "steps"


def _count_shared(left: Tape, right: Tape) -> int:
    for position, (a, b) in enumerate(zip(left.steps, right.steps, strict=False)):
        if not a.content_equals(b):
            return position
    return min(len(left), len(right))


def _messages_of(steps: Sequence[Step]) -> list[dict[str, Any]]:
    messages = (step_to_message(step) for step in steps)
    return [dict(message) for message in messages if message is not None]


def _answer(output: LLMOutput) -> dict[str, Any]:
    """Return a model's message without additions of its provider."""
    body: dict[str, Any] = {"role": "assistant", "content": output.content}
    if output.tool_calls:
        body["tool_calls"] = [dict(call) for call in output.tool_calls]
    return body


def _without_ids(message: dict[str, Any]) -> dict[str, Any]:
    """Return a message for comparison, without ids of tool calls, which are new every time."""
    calls = [{**call, "id": ""} for call in message.get("tool_calls", ())]
    return {**message, "tool_calls": calls}


def _label(person: Person, branch: BranchRow, name: str, details: dict[str, Any]) -> None:
    add_annotation(
        branch.tape_id,
        person.project_id,
        Anchor(),
        Content(kind="label", name=name, details=details),
        owner=person.user_id,
    )
