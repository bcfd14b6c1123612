"""The study from nothing to its report; each piece is done once."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

from optimize_app.case_study.dialogues import PartialDialogue, choose_partial
from optimize_app.case_study.report import TEACHER, write_markdown, write_report
from optimize_app.case_study.services import learning
from optimize_app.case_study.services.answers import store_answers
from optimize_app.case_study.services.examining import Arm, examine, examine_whole, served
from optimize_app.case_study.services.growing import (
    build_teacher,
    describe_tree,
    grow_trees,
    list_branches,
)
from optimize_app.case_study.services.runner import Runner
from optimize_app.case_study.services.teaching import store_lessons
from optimize_app.case_study.settings import StudySettings, TreeRequest
from optimize_app.case_study.study_folder import StudyFolder, count_lines, read_lines
from optimize_app.serving.request import ServeRequest
from tapes_app.agents.services.agents import build_live_agent
from tapes_app.agents.store.agents import ensure_version
from tapes_app.engine.agent.agent import Agent
from tapes_app.gallery.form_filler.agent import describe_trained_student
from tapes_app.gallery.form_filler.assistant.student import Answers
from tapes_app.gallery.form_filler.users.behaviours import BEHAVIOURS
from tapes_app.projects.domain.wording import count_of
from tapes_app.projects.services.people import Person

UNTUNED, STUDENT, FREE = "untuned student", "student", "student without grammar"
ARMS = (TEACHER, UNTUNED, STUDENT, FREE)
_IN_WHOLE = (TEACHER, STUDENT, FREE)
"""Arms that also play whole dialogues. The base is left out: it comes to no end and is slow."""


def run_study(
    person: Person, settings: StudySettings, place: Path, runner: Runner
) -> dict[str, Any]:
    """Do what is not done yet, and return the report, which is then in the folder.

    Raises:
        ConflictError: the folder has another study, a job failed, or a model cannot be served.
    """
    folder = StudyFolder(place, settings)
    pieces: dict[str, Any] = {
        f"{name}_trees": _grow(person, request, folder, name, runner)
        for name, request in settings.trees.items()
    }
    lessons = folder.make(
        "lessons",
        lambda: store_lessons(person, settings, place),
        lambda: runner.say("Storing the teacher's dialogues"),
    )
    base = folder.make(
        "base",
        lambda: learning.make_base(person, settings, folder, runner),
        lambda: runner.say(f"Making the base; the lessons are {lessons['dialogues']:,} dialogues"),
    )["base"]
    made = folder.make(
        "set",
        lambda: learning.make_set(person, settings, folder, runner),
        lambda: runner.say("Making the training set"),
    )
    student = folder.make(
        "student",
        lambda: learning.finetune(person, settings, folder, base, runner),
        lambda: runner.say(f"Finetuning {base} on {made['train_count']:,} examples"),
    )
    dialogues = _choose(settings, place / "test")
    if folder.read("report") is None:
        _examine(person, settings, place, dialogues, base, UUID(student["adapter"]), runner)
        pieces |= {"lessons": lessons, "set": made, "student": student}
        lines = {arm: list(read_lines(exam_file(place, arm))) for arm in ARMS}
        pieces["batches"] = folder.make(
            "batches",
            lambda: store_answers(person, settings, dialogues, lines),
            lambda: runner.say("Storing all answers as tapes"),
        )
        played = _IN_WHOLE if settings.whole_dialogues else ()
        whole = {arm: list(read_lines(whole_file(place, arm))) for arm in played}
        report = write_report(settings, lines, whole, pieces)
        folder.write_text("report.md", write_markdown(report))
        folder.write("report", report)
    return dict(folder.read("report"))


def _grow(
    person: Person, request: TreeRequest, folder: StudyFolder, name: str, runner: Runner
) -> dict[str, int]:
    def note(company: str, count: int) -> None:
        place = f"{company}, {request.companies.index(company) + 1} of {len(request.companies)}"
        runner.note(f"Growing the {name} trees: {place}, {count_of(count, 'continuation')}")

    def grow() -> dict[str, int]:
        grow_trees(person, request, folder.path / name, note)
        trees = {one: describe_tree(folder.path / name, one) for one in request.companies}
        return {company: tree.count for company, tree in trees.items()}

    return dict(folder.make(f"{name}-trees", grow, lambda: runner.say(f"Growing the {name} trees")))


def _choose(settings: StudySettings, trees: Path) -> list[PartialDialogue]:
    """Return the partial dialogues, as many of each company as of the others."""
    companies = settings.companies
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
    runner: Runner,
) -> None:
    def ask(name: str, agent: Agent, *, is_student: bool = True) -> None:
        arm = Arm(name, agent, is_student)
        examine(
            arm,
            dialogues,
            exam_file(place, name),
            settings.at_once,
            lambda _, count: runner.say(f"{name}: {count} of {len(dialogues)} turns"),
        )
        whole = settings.whole_dialogues
        if name not in _IN_WHOLE:
            return
        examine_whole(
            arm,
            settings,
            whole_file(place, name),
            lambda _, count: runner.say(f"{name}: {count} of {whole} whole dialogues"),
        )

    def is_missing(*arms: str) -> bool:
        return any(
            count_lines(exam_file(place, arm)) < len(dialogues)
            or (arm in _IN_WHOLE and count_lines(whole_file(place, arm)) < settings.whole_dialogues)
            for arm in arms
        )

    ask(TEACHER, build_teacher(person, settings.asked_trees), is_student=False)
    if is_missing(UNTUNED):
        with served(person, ServeRequest(base=base), runner) as model:
            ask(UNTUNED, _build(person, settings, "structured", model))
    if is_missing(STUDENT, FREE):
        with served(person, ServeRequest(adapter_id=adapter), runner) as model:
            ask(STUDENT, _build(person, settings, "structured", model))
            ask(FREE, _build(person, settings, "json", model))


def _build(person: Person, settings: StudySettings, answers: Answers, model: UUID) -> Agent:
    project = person.project_id
    version = ensure_version(project, describe_trained_student(answers), owner=person.user_id)
    parameters = {"max_tokens": settings.longest_answer, "temperature": 0}
    return build_live_agent(project, version.id, model_id=model, parameters=parameters).agent


def exam_file(place: Path, arm: str) -> Path:
    """Return where an arm's answers to the partial dialogues are kept."""
    return place / "exam" / f"{arm.replace(' ', '-')}.jsonl"


def whole_file(place: Path, arm: str) -> Path:
    """Return where the ends of an arm's whole dialogues are kept."""
    return place / "whole" / f"{arm.replace(' ', '-')}.jsonl"


def forecast(settings: StudySettings) -> Iterator[str]:
    """Yield what the study would do, and what its models would cost at the settings' prices."""
    learnt = sum(map(_count_turns, settings.lesson_trees.values()))
    grown = learnt + _count_turns(settings.asked_trees)
    asked = settings.per_behaviour * len(BEHAVIOURS)
    yield f"The teacher continues up to {grown:,} dialogues of its trees, and {asked:,} more."
    teacher, student = TOKENS_OF_TURN
    dollars = (grown + asked) * teacher * settings.teacher_price / 1e6
    price = f"at about {teacher:,} tokens a turn and ${settings.teacher_price} per million"
    yield (
        f"That costs about ${dollars:,.2f}, {price}."
        if settings.teacher
        else f"The script is free; a model would cost about ${dollars:,.2f}, {price}."
    )
    yield f"The student learns from up to {learnt:,} turns, about {learnt * student:,} tokens."
    dollars = 3 * asked * student * settings.student_price / 1e6
    yield (
        f"Three arms of the student answer {3 * asked:,} times, at about {student:,} tokens a turn "
        f"and ${settings.student_price} per million: ${dollars:,.2f}."
    )


def _count_turns(trees: TreeRequest) -> int:
    return trees.width * trees.depth * len(trees.companies)


TOKENS_OF_TURN = (9_900, 1_750)
"""Of a turn, read and written: the teacher's by its script's count, the student's by the tokenizer
of the tiny base. Measured in small studies; another model counts otherwise."""
