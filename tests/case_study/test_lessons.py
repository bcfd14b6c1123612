"""The teacher's dialogues as lessons of the student: what is learnt, and what is not."""

import asyncio
from collections import Counter
from pathlib import Path

import pytest

from optimize_app.case_study.dialogues import list_dialogues
from optimize_app.case_study.services.growing import grow_trees, list_branches
from optimize_app.case_study.services.learning import make_set
from optimize_app.case_study.services.teaching import store_lessons
from optimize_app.case_study.settings import StudySettings
from optimize_app.case_study.study_folder import StudyFolder
from optimize_app.management.commands.form_study import Command
from optimize_app.training_sets.samples import ChatExample, read_samples
from optimize_app.training_sets.services.kept_steps import KEPT
from optimize_app.training_sets.store.sets import find_set, open_folder
from tapes_app.engine.agent.reuse import reuse_tape
from tapes_app.engine.tape.tape import Tape
from tapes_app.gallery.form_filler.assistant.lessons import write_as_student
from tapes_app.gallery.form_filler.assistant.student import build_trained_student
from tapes_app.gallery.form_filler.greadth.scores import score_turn
from tapes_app.gallery.form_filler.greadth.turns import list_turns
from tapes_app.management.named import find_operator

pytestmark = pytest.mark.django_db(transaction=True)

SETTINGS = StudySettings(made_up=1, train_width=8, openings=12, depth=4, error_rate=0.1)


@pytest.fixture
def study(tmp_path: Path) -> StudyFolder:
    folder = StudyFolder(tmp_path / "study", SETTINGS)
    for name, trees in SETTINGS.lesson_trees.items():
        grow_trees(find_operator(""), trees, folder.path / name)
    return folder


def test_only_good_turns_are_learnt_and_each_of_them_once(study: StudyFolder) -> None:
    person = find_operator("")

    lessons = store_lessons(person, SETTINGS, study.path)
    again = store_lessons(person, SETTINGS, study.path)
    made = make_set(person, SETTINGS, study, Command())

    assert lessons == again
    assert 0 < lessons["bad_turns"] < lessons["turns"] / 2
    assert made["examples_left_out"].keys() == {KEPT}
    row = find_set(f"{SETTINGS.name} set", person.project_id)
    examples = list(read_samples(open_folder(row.content_hash) / "samples.jsonl"))
    assert 30 < len(examples) < lessons["turns"] * 2  # one reads, one speaks
    assert all(isinstance(one, ChatExample) for one in examples)
    asked = Counter(one.messages[0]["content"] for one in examples if isinstance(one, ChatExample))
    assert asked.keys() == {"Choose the form.", "Read.", "Speak."}
    dialogues = SETTINGS.lesson_trees["train"]
    assert asked["Choose the form."] > dialogues.width * len(dialogues.companies)


def test_a_student_would_have_written_each_dialogue_with_the_same_scores(
    study: StudyFolder,
) -> None:
    student = build_trained_student("structured")
    dialogues = list(list_dialogues(list(list_branches(study.path / "train", "FlyCorp"))))

    for dialogue in dialogues:
        tape = Tape(steps=write_as_student(dialogue.steps))
        reused = asyncio.run(reuse_tape(student, tape))
        assert len(reused.tape) == len(tape)
        accurate = [score_turn(turn).accurate for turn in list_turns(reused.tape.steps)]
        assert accurate == [score.accurate for score in dialogue.scores]
