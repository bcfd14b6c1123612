"""The study from nothing to its report; each piece is done once."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

from optimize_app.case_study.dialogues import PartialDialogue, choose_partial
from optimize_app.case_study.report import TEACHER, write_markdown, write_report
from optimize_app.case_study.services import learning
from optimize_app.case_study.services.examining import Arm, examine, examine_whole, served
from optimize_app.case_study.services.growing import (
    build_teacher,
    describe_tree,
    grow_trees,
    list_branches,
)
from optimize_app.case_study.services.teaching import store_lessons
from optimize_app.case_study.settings import StudySettings, TreeRequest
from optimize_app.case_study.study_folder import StudyFolder, read_lines
from optimize_app.serving.request import ServeRequest
from tapes_app.agents.services.agents import build_live_agent
from tapes_app.agents.store.agents import ensure_version
from tapes_app.engine.agent.agent import Agent
from tapes_app.gallery.form_filler.agent import describe_trained_student
from tapes_app.gallery.form_filler.assistant.student import Answers
from tapes_app.gallery.form_filler.users.behaviours import BEHAVIOURS
from tapes_app.projects.services.people import Person

UNTUNED, STUDENT, FREE = "untuned student", "student", "student without grammar"
ARMS = (TEACHER, UNTUNED, STUDENT, FREE)
_IN_WHOLE = (TEACHER, STUDENT, FREE)
"""Those that play whole dialogues: a base comes to the end of none, and takes long for it."""
Say = Callable[[str], None]


def run_study(person: Person, settings: StudySettings, place: Path, say: Say) -> dict[str, Any]:
    """Do what is not done yet, and return the report, which is then in the folder.

    Raises:
        ConflictError: the folder has another study, a job failed, or a model cannot be served.
    """
    folder = StudyFolder(place, settings)
    pieces = {
        "train_trees": _grow(person, settings.tree(is_test=False), folder, "train", say),
        "test_trees": _grow(person, settings.tree(is_test=True), folder, "test", say),
    }
    lessons = folder.make(
        "lessons",
        lambda: store_lessons(person, settings, place / "train"),
        lambda: say("Storing the teacher's dialogues"),
    )
    base = folder.make(
        "base",
        lambda: learning.make_base(person, settings, folder),
        lambda: say(f"Making the base; the lessons are {lessons['dialogues']:,} dialogues"),
    )["base"]
    made = folder.make(
        "set",
        lambda: learning.make_set(person, settings, folder),
        lambda: say("Making the training set"),
    )
    student = folder.make(
        "student",
        lambda: learning.finetune(person, settings, folder, base),
        lambda: say(f"Finetuning {base} on {made['train_count']:,} examples"),
    )
    dialogues = _choose(settings, place / "test")
    if folder.read("report") is None:
        _examine(person, settings, place, dialogues, base, UUID(student["adapter"]), say)
        pieces |= {"lessons": lessons, "set": made, "student": student}
        lines = {arm: list(read_lines(_file_of(place / "exam", arm))) for arm in ARMS}
        played = _IN_WHOLE if settings.whole_dialogues else ()
        whole = {arm: list(read_lines(_file_of(place / "whole", arm))) for arm in played}
        report = write_report(settings, lines, whole, pieces)
        folder.write_text("report.md", write_markdown(report))
        folder.write("report", report)
    return dict(folder.read("report"))


def _grow(
    person: Person, request: TreeRequest, folder: StudyFolder, name: str, say: Say
) -> dict[str, int]:
    def grow() -> dict[str, int]:
        grow_trees(person, request, folder.path / name)
        trees = {one: describe_tree(folder.path / name, one) for one in request.companies}
        return {company: tree.count for company, tree in trees.items()}

    return dict(folder.make(f"{name}-trees", grow, lambda: say(f"Growing the {name} trees")))


def _choose(settings: StudySettings, trees: Path) -> list[PartialDialogue]:
    """Return the partial dialogues, as many of each company as of the others."""
    companies = settings.tree(is_test=True).companies
    counts = [
        settings.per_behaviour // len(companies) + (n < settings.per_behaviour % len(companies))
        for n in range(len(companies))
    ]
    return [
        dialogue
        for company, count in zip(companies, counts, strict=True)
        for dialogue in choose_partial(
            company, list(list_branches(trees, company)), count, settings.seed
        )
    ]


def _examine(
    person: Person,
    settings: StudySettings,
    place: Path,
    dialogues: list[PartialDialogue],
    base: str,
    adapter: UUID,
    say: Say,
) -> None:
    def ask(name: str, agent: Agent, *, is_student: bool = True) -> None:
        arm = Arm(name, agent, is_student)
        examine(
            arm,
            dialogues,
            _file_of(place / "exam", name),
            settings.at_once,
            lambda _, count: say(f"{name}: {count} of {len(dialogues)} turns"),
        )
        whole = settings.whole_dialogues
        if name not in _IN_WHOLE:
            return
        examine_whole(
            arm,
            settings,
            _file_of(place / "whole", name),
            lambda _, count: say(f"{name}: {count} of {whole} whole dialogues"),
        )

    def is_missing(*arms: str) -> bool:
        return any(
            _count(place / "exam", arm) < len(dialogues)
            or (arm in _IN_WHOLE and _count(place / "whole", arm) < settings.whole_dialogues)
            for arm in arms
        )

    ask(TEACHER, build_teacher(person, settings.tree(is_test=True)), is_student=False)
    if is_missing(UNTUNED):
        with served(person, ServeRequest(base=base)) as model:
            ask(UNTUNED, _build(person, settings, "structured", model))
    if is_missing(STUDENT, FREE):
        with served(person, ServeRequest(adapter_id=adapter)) as model:
            ask(STUDENT, _build(person, settings, "structured", model))
            ask(FREE, _build(person, settings, "json", model))


def _build(person: Person, settings: StudySettings, answers: Answers, model: UUID) -> Agent:
    project = person.project_id
    version = ensure_version(project, describe_trained_student(answers), owner=person.user_id)
    parameters = {"max_tokens": settings.longest_answer, "temperature": 0}
    return build_live_agent(project, version.id, model_id=model, parameters=parameters).agent


def _file_of(folder: Path, arm: str) -> Path:
    return folder / f"{arm.replace(' ', '-')}.jsonl"


def _count(folder: Path, arm: str) -> int:
    return sum(1 for _ in read_lines(_file_of(folder, arm)))


def forecast(settings: StudySettings) -> Iterator[str]:
    """Yield what the study would do, and what its models would cost at the settings' prices."""
    trees = [settings.tree(is_test=is_test) for is_test in (False, True)]
    grown = sum(one.width * one.depth * len(one.companies) for one in trees)
    asked = settings.per_behaviour * len(BEHAVIOURS)
    yield f"The teacher continues up to {grown:,} dialogues of its trees, and {asked:,} more."
    teacher, student = TOKENS_OF_TURN
    dollars = (grown + asked) * teacher * settings.teacher_price / 1e6
    price = f"${settings.teacher_price} per million"
    yield f"At about {teacher:,} tokens a turn and {price}: ${dollars:,.2f}."
    lessons = trees[0].width * trees[0].depth * len(trees[0].companies)
    yield f"The student learns from up to {lessons:,} turns, about {lessons * student:,} tokens."
    dollars = 3 * asked * student * settings.student_price / 1e6
    yield (
        f"Three arms of the student answer {3 * asked:,} times, at about {student:,} tokens a turn "
        f"and ${settings.student_price} per million: ${dollars:,.2f}."
    )


TOKENS_OF_TURN = (9_900, 1_750)
"""Of a turn, read and written: the teacher's by its script's count, the student's by the tokenizer
of the tiny base. Measured in small studies; another model counts otherwise."""
