"""The examination: each arm continues the same partial dialogues of companies it never saw."""

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

from optimize_app.case_study.dialogues import PartialDialogue
from optimize_app.case_study.services.runner import Runner
from optimize_app.case_study.settings import StudySettings
from optimize_app.case_study.study_folder import add_lines, read_lines
from optimize_app.serving.request import SERVE_QUEUE, ServeRequest
from optimize_app.serving.services import serving
from optimize_app.tape_trees.branch_file import dump_steps
from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.errors import AgentRunError, ConflictError, LLMError
from tapes_app.engine.model.llm import LLMCall
from tapes_app.engine.tape.tape import Tape
from tapes_app.gallery.form_filler.assistant.lessons import write_as_student
from tapes_app.gallery.form_filler.greadth.scores import CRITERIA, TurnScore, score_turn
from tapes_app.gallery.form_filler.greadth.turns import list_turns
from tapes_app.gallery.form_filler.play import play
from tapes_app.gallery.form_filler.tree import TreeSettings, TurnWatch, continue_turn
from tapes_app.gallery.form_filler.users.environment import UserSettings
from tapes_app.llms.scripted import count_usage
from tapes_app.projects.services.people import Person

_LOOK_SECONDS = 0.3
_NOTHING = TurnScore(*[False] * len(CRITERIA))


@dataclass(frozen=True)
class Arm:
    """Who continues the dialogues."""

    name: str
    agent: Agent
    is_student: bool


def examine(
    arm: Arm,
    dialogues: Sequence[PartialDialogue],
    file: Path,
    at_once: int,
    on_answered: Callable[[str, int], None] = lambda _arm, _count: None,
) -> None:
    """Let an arm continue the dialogues that the file has no answer to yet."""
    done = {(line["company"], line["key"]) for line in read_lines(file)}
    left = [one for one in dialogues if (one.company, one.key) not in done]

    async def ask_all() -> None:
        for start in range(0, len(left), at_once):
            part = left[start : start + at_once]
            add_lines(file, await asyncio.gather(*(_continue(arm, one) for one in part)))
            on_answered(arm.name, len(done) + start + len(part))

    asyncio.run(ask_all())


def examine_whole(
    arm: Arm,
    settings: StudySettings,
    file: Path,
    on_played: Callable[[str, int], None] = lambda _arm, _count: None,
) -> None:
    """Let an arm talk to users from the first message to the end, as far as the file has none."""
    done = {line["user"] for line in read_lines(file)}
    left = [user for user in range(settings.whole_dialogues) if user not in done]

    async def play_all() -> None:
        for start in range(0, len(left), settings.at_once):
            part = left[start : start + settings.at_once]
            add_lines(file, await asyncio.gather(*(_play(arm, settings, one) for one in part)))
            on_played(arm.name, len(done) + start + len(part))

    asyncio.run(play_all())


async def _play(arm: Arm, settings: StudySettings, user: int) -> dict[str, Any]:
    """Return how a dialogue ended; one whose model fails has not succeeded."""
    company = settings.companies[user % len(settings.companies)]
    seed = settings.seed * 1_000_000 + user
    wants = UserSettings(company=company, seed=seed, phrases=settings.phrases)
    played = {"user": user, "company": company, "succeeds": False, "end": "", "error": ""}
    try:
        dialogue = await play(arm.agent, wants)
    except (LLMError, AgentRunError) as failure:
        return {**played, "error": failure.message}
    end = {"end": dialogue.state.end, "reason": dialogue.state.reason}
    return {**played, "succeeds": dialogue.succeeds, **end, "behaviours": dialogue.behaviours}


async def _continue(arm: Arm, dialogue: PartialDialogue) -> dict[str, Any]:
    """Return an arm's continuation with its score; a model that fails has none."""
    steps = write_as_student(dialogue.steps) if arm.is_student else dialogue.steps
    tape = Tape(steps=steps)
    watch, error = TurnWatch(tape), ""
    try:
        tape = await continue_turn(arm.agent, tape, TreeSettings(company=dialogue.company), watch)
    except (LLMError, AgentRunError) as failure:
        error = failure.message
    added = tape.steps[len(steps) :]
    turns = [] if error else [turn for turn in list_turns(tape.steps) if turn.steps == added]
    score = score_turn(turns[-1]) if turns else _NOTHING
    return {
        "key": dialogue.key,
        "company": dialogue.company,
        "root": dialogue.root,
        "behaviour": dialogue.behaviour,
        "form": dialogue.group,
        "depth": dialogue.depth,
        "steps": dump_steps(added, dialogue.key),
        "is_valid": bool(turns) and turns[-1].is_valid,
        "error": error,
        "score": asdict(score),
        "calls": len(watch.calls),
        "input_tokens": sum(call.usage.input_tokens or 0 for call in watch.calls),
        "output_tokens": sum(call.usage.output_tokens or 0 for call in watch.calls),
        "comparable_tokens": sum(map(_count_alike, watch.calls)),
    }


def _count_alike(call: LLMCall) -> int:
    """Return the tokens of a call by one rule for all models, whatever their tokenizers are."""
    usage = count_usage(call.prompt, call.output)
    return (usage.input_tokens or 0) + (usage.output_tokens or 0)


@contextmanager
def served(person: Person, request: ServeRequest, runner: Runner) -> Iterator[UUID]:
    """Serve a model during the block, and provide its id among the project's LLM models.

    Raises:
        ConflictError: it cannot be served.
    """
    model = serving.serve(person, request)
    with runner.working_on(SERVE_QUEUE):
        try:
            while model.state == "starting":
                runner.note(f"{model.name} is being served. {model.message}".rstrip())
                time.sleep(_LOOK_SECONDS)
                model = serving.load_served(person, model.id)
            if model.state != "ready" or model.model_id is None:
                raise ConflictError(f"{model.name} is not served: {model.message}")
            yield model.model_id
        finally:
            if serving.load_served(person, model.id).state in ("starting", "ready"):
                serving.stop_serving(person, model.id)
