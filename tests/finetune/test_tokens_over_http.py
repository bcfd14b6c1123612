"""The tokens of an example over HTTP: as the trainer would make them, kept once they are made."""

import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from uuid import UUID, uuid4

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client

from optimize_app.base_models import models_folder
from optimize_app.training_sets.store import sets
from tapes_app.models import MembershipRecord, ProjectRecord
from tests.finetune.folders import make_base, make_chats, write_lines
from tests.http.asking import call

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


@dataclass(frozen=True)
class Desk:
    client: Client
    project: UUID

    def store_set(self, examples: list[dict[str, Any]]) -> str:
        part = sets.sets_folder() / f".{uuid4()}"
        part.mkdir(parents=True)
        write_lines(part / sets.TRAIN_FILE, examples)
        write_lines(part / sets.HELD_OUT_FILE, [])
        place = sets.folder_of(sets.hash_folder(part))
        shutil.rmtree(place, ignore_errors=True)
        part.rename(place)
        row = sets.save_set(
            self.project,
            owner=None,
            job_id=uuid4(),
            name=f"set {uuid4()}",
            request={},
            counts={"train": len(examples), "held_out": 0},
            sources={},
            left_out=[],
            folder=place,
        )
        return str(row.id)

    def name_of(self, set_id: str) -> str:
        return sets.load_set(UUID(set_id), self.project).name

    def tokens(self, set_id: str, example: str, base: str = "minute", expect: int = 200) -> Any:
        query = urlencode({"example": example, "base": base})
        return call(self.client, "GET", f"training-sets/{set_id}/tokens?{query}", expect=expect)


@pytest.fixture
def desk(transactional_db: None, base: Path) -> Desk:
    member = User.objects.create_user("ada", password="x")
    project = ProjectRecord.objects.create(name="Ours")
    MembershipRecord.objects.create(project=project, user=member, role="member")
    client = Client()
    client.force_login(member)
    shutil.rmtree(models_folder(), ignore_errors=True)
    shutil.copytree(base, models_folder() / "minute")
    return Desk(client, project.id)


def test_an_example_is_shown_as_its_tokens_and_its_neighbors_are_there_at_once(desk: Desk) -> None:
    set_id = desk.store_set(make_chats(3))

    first = desk.tokens(set_id, "sum-1")
    shutil.move(models_folder() / "minute", models_folder() / "renamed")  # nothing is loaded again
    kept = len(list((Path(settings.STUDIO_DATA_DIR) / "tokens").glob("*.json")))
    second = desk.tokens(set_id, "sum-2", base="renamed")

    (sequence,) = first["sequences"]
    text = "".join(piece["text"] for piece in sequence["pieces"])
    assert text == "<|user|>please 1 + 1 =<|end|>\n<|assistant|>2<|end|>"
    learnt = [piece["text"] for piece in sequence["pieces"] if piece["weight"]]
    assert learnt == ["2", "<|end|>"]
    assert (sequence["trained_count"], sequence["is_retokenized"]) == (2, False)
    assert first["template"] == {"marks_generation": False, "keeps_prefixes": True}
    assert (first["context_length"], first["problem"]) == (256, "")
    (other,) = second["sequences"]
    assert other["pieces"][-2]["text"] == "4"
    assert len(list((Path(settings.STUDIO_DATA_DIR) / "tokens").glob("*.json"))) == kept


def test_a_base_that_cannot_write_chats_says_so(desk: Desk) -> None:
    make_base(models_folder() / "mute", template=None)
    (models_folder() / "empty").mkdir()
    (models_folder() / "empty" / "config.json").write_text(
        json.dumps({"model_type": "llama", "of": "a test"})
    )

    told = {one["base"]: one for one in call(desk.client, "GET", "base-models/templates")}

    assert told["minute"] == {
        "base": "minute",
        "template": {"marks_generation": False, "keeps_prefixes": True},
        "problem": "",
    }
    assert told["mute"]["template"] is None
    assert "has no chat template" in told["mute"]["problem"]
    assert told["empty"]["problem"]


def test_what_is_not_there_is_said(desk: Desk) -> None:
    set_id = desk.store_set(make_chats(1))

    base = desk.tokens(set_id, "sum-0", base="nothing", expect=422)
    hub = desk.tokens(set_id, "sum-0", base="nobody/nothing", expect=422)
    example = desk.tokens(set_id, "sum-9", expect=404)
    foreign = desk.tokens(str(uuid4()), "sum-0", expect=404)

    assert base["message"].startswith("There is no base model 'nothing'.")
    assert hub["message"].startswith("The tokenizer of nobody/nothing is not on this machine")
    assert example["message"] == "There is no such example in this training set."
    assert foreign["message"] == "Training set not found."
