"""Training sets as text with spans: what the trainer learns, in the words of a base's template."""

import json
from pathlib import Path
from typing import Any

import pytest

from optimize_app.base_models import models_folder
from tapes_app.management.named import find_operator
from tests.commands.running import fail, run_json
from tests.finetune.folders import make_base, make_chats
from tests.finetune.test_tokens_over_http import Desk, desk
from tests.http.asking import call, read_stream

__all__ = ["desk"]
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
TOOLLESS = "{% for one in messages %}{{ one.content }}<|end|>{% endfor %}"
UNTEMPLATED = {"kind": "text", "id": "given", "text": "as it is", "spans": [{"start": 3, "end": 8}]}


def download(desk: Desk, set_id: str, **query: str) -> list[dict[str, Any]]:
    answer = desk.client.get(f"/api/v1/training-sets/{set_id}/texts", query)
    assert answer.status_code == 200, answer.content
    assert ".text.jsonl" in answer["Content-Disposition"]

    return [json.loads(line) for line in read_stream(answer).splitlines()]


def learnt(line: dict[str, Any]) -> list[str]:
    return [line["text"][span["start"] : span["end"]] for span in line["spans"]]


def test_chats_pairs_and_tokens_become_text_whose_spans_are_learnt(desk: Desk) -> None:
    one, two, three = make_chats(3)
    pair = {"kind": "preference", "id": "pair", "chosen": one, "rejected": two}
    first = desk.store_set([one, UNTEMPLATED])
    shown = desk.tokens(first, "sum-0")["sequences"][0]["pieces"]
    ids = [token for piece in shown for token in piece["ids"]]
    weights = [piece["weight"] * 0.5 for piece in shown for _ in piece["ids"]]
    tokens = {"kind": "tokens", "id": "t", "token_ids": ids, "weights": weights, "chat": three}

    chat, given = download(desk, first, base="minute")
    (written,) = download(desk, desk.store_set([pair]), base="minute")
    (recorded,) = download(desk, desk.store_set([tokens]), base="minute")

    assert chat["kind"] == "text"
    assert chat["text"] == "<|user|>0 + 0 =<|end|>\n<|assistant|>0<|end|>"
    assert chat["origin"] == one["origin"]
    assert learnt(chat) == ["0<|end|>"]
    assert learnt(given) == ["it is"]
    assert learnt(written["rejected"]) == ["2<|end|>"]
    assert (recorded["text"], learnt(recorded)) == (chat["text"], ["0<|end|>"])
    assert recorded["spans"][0]["weight"] == 0.5


def test_a_base_that_cannot_write_them_is_refused(desk: Desk, tmp_path: Path) -> None:
    set_id = desk.store_set(make_chats(1))
    make_base(models_folder() / "wordless", template=None)
    path = f"training-sets/{set_id}/texts"

    unknown = call(desk.client, "GET", f"{path}?base=nothing", expect=422)
    wordless = call(desk.client, "GET", f"{path}?base=wordless", expect=422)
    nameless = call(desk.client, "GET", path, expect=422)

    assert "There is no base model 'nothing'" in unknown["message"]
    assert "No example can be written for wordless. The tokenizer" in wordless["message"]
    assert "base" in str(nameless)


def test_the_command_writes_text_and_says_what_is_lost(desk: Desk, tmp_path: Path) -> None:
    owner = Desk(desk.client, find_operator("").project_id)
    calling = {
        **make_chats(1)[0],
        "id": "calls",
        "tools": [{"type": "function", "function": {"name": "look", "parameters": {}}}],
    }
    again = {**calling, "id": "calls, too"}
    plain, thinking = make_chats(2)
    thinking["answer"]["reasoning_content"] = "Add them."
    name = owner.name_of(owner.store_set([plain, thinking, calling, again]))
    make_base(models_folder() / "toolless", template=TOOLLESS)
    out = tmp_path / "texts.jsonl"

    said = run_json(
        "export_training_set", name, "--format", "text", "--base", "toolless", "--out", str(out)
    )

    assert said["examples"] == len(out.read_text().splitlines()) == 2
    assert "Add them." not in out.read_text()
    assert {why.partition(",")[0].partition(":")[0]: n for why, n in said["lost"].items()} == {
        "Thoughts before an answer": 1,
        "An example calls tools": 2,
    }
    assert "Give --base with --format text" in fail(
        "export_training_set", name, "--format", "text", "--out", str(out)
    )
