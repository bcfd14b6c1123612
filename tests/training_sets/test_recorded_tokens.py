"""Sets of recorded tokens: what was sampled is learnt, not what its text would be in tokens."""

import json
import shutil
from dataclasses import dataclass, field, replace
from io import StringIO
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

import pytest
from django.core.management import call_command

from optimize_app.base_models import models_folder
from optimize_app.training_sets.store.sets import folder_of
from tapes_app.engine.model.llm import CallTokens, LLMCall, LLMOutput, Prompt
from tapes_app.engine.model.messages import Message
from tapes_app.engine.tape.dialog_steps import AssistantStep, UserStep
from tapes_app.engine.tape.tape import Tape
from tapes_app.management.named import find_operator
from tapes_app.models import TapeRecord
from tapes_app.tapes.store.saving import save_tape
from tests.finetune.folders import (
    finish,
    make_base,
    make_tokenizer,
    read_events,
    start_trainer,
    write_run,
)
from tests.http.asking import call
from tests.training_sets.test_sets_over_http import Desk, desk

__all__ = ["desk"]
pytestmark = pytest.mark.django_db(transaction=True)

TOKENIZER = make_tokenizer()


def tokens_of(text: str) -> tuple[int, ...]:
    return tuple(TOKENIZER(text, add_special_tokens=False)["input_ids"])


def sample(text: str) -> tuple[int, ...]:
    """Return tokens of single characters, as a model may sample and no tokenizer would write."""
    return tuple(one for letter in text for one in tokens_of(letter)) + tokens_of("<|end|>")


@dataclass
class Rollout:
    """A tape in the making, whose calls have tokens."""

    name: str
    tape: Tape = field(default_factory=Tape)
    calls: tuple[LLMCall, ...] = ()
    chat: tuple[Message, ...] = ()
    ids: tuple[int, ...] = ()

    def turn(self, question: str, answer: str, **tokens: Any) -> "Rollout":
        """Ask and answer; what is given replaces what the server tells of its tokens."""
        asked = (*self.chat, Message(role="user", content=question))
        between = "\n" if self.ids else ""
        prompt = self.ids + tokens_of(f"{between}<|user|>{question}<|end|>\n<|assistant|>")
        told = {"prompt_ids": prompt, "ids": sample(answer), **tokens}
        told.setdefault("logprobs", (-0.5,) * len(told["ids"] or ()))
        made = LLMCall(
            prompt=Prompt(id=f"{self.name}-{len(self.calls)}", messages=asked),
            output=LLMOutput(content=answer),
            tokens=CallTokens(**told) if any(told.values()) else None,
        )
        said = AssistantStep(content=answer).with_metadata(
            agent="talker", node="say", prompt_id=made.prompt.id
        )
        return Rollout(
            self.name,
            self.tape.append(UserStep(content=question), said),
            (*self.calls, made),
            (*asked, Message(role="assistant", content=answer)),
            (told["prompt_ids"] or ()) + (told["ids"] or ()),
        )

    def store(self, desk: Desk, **columns: Any) -> UUID:
        tape_id = save_tape(desk.project, self.tape, calls=list(self.calls), owner=None)
        if columns:
            TapeRecord.objects.filter(id=tape_id).update(**columns)
        return tape_id


@pytest.fixture
def base() -> str:
    shutil.rmtree(models_folder(), ignore_errors=True)
    make_base(models_folder() / "minute")
    return "minute"


def lines_of(desk: Desk, job: Any) -> list[dict[str, Any]]:
    row = call(desk.client, "GET", f"training-sets/{job['result']['training_set_id']}")
    lines = (folder_of(row["content_hash"]) / "samples.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


def learnt(line: dict[str, Any]) -> list[int]:
    pairs = zip(line["token_ids"], line["weights"], strict=True)
    return [token for token, weight in pairs if weight]


def test_what_was_sampled_is_learnt_as_one_sequence_where_prefixes_continue(
    desk: Desk, base: str
) -> None:
    rollout = Rollout("a").turn("what is one", "the sum").turn("and two", "the answer")
    tape = rollout.store(desk)

    job = desk.make(held_out_share=0, base=base)

    (line,) = lines_of(desk, job)
    assert line["kind"] == "tokens"
    assert line["token_ids"] == list(rollout.ids)
    assert learnt(line) == [*sample("the sum"), *sample("the answer")]
    assert learnt(line) != [*tokens_of("the sum<|end|>"), *tokens_of("the answer<|end|>")]
    assert [one for one in line["logprobs"] if one is not None] == [-0.5] * len(learnt(line))
    assert line["origin"] == {"tape": str(tape), "step": 1, "writer": "model", "steps": [1, 3]}
    facts = job["result"]["facts"]
    assert (facts["recorded_count"], facts["rebuilt"]) == (1, [])
    (row,) = desk.rows(job)
    assert (row["is_recorded"], row["call_count"], row["asked"]) == (True, 2, "and two")
    assert desk.example(job, row["id"])["answer"]["content"] == "the answer"
    (listed,) = call(desk.client, "GET", "training-sets")["items"]
    assert listed["facts"] == facts
    assert facts["base"] == "minute"


def test_calls_whose_prompt_was_written_otherwise_stay_apart(desk: Desk, base: str) -> None:
    first = Rollout("a").turn("what is one", "the sum")
    anew = tokens_of(
        "<|user|>what is one<|end|>\n<|assistant|>the sum<|end|>\n<|user|>and two<|end|>\n"
        "<|assistant|>"
    )
    rollout = first.turn("and two", "the answer", prompt_ids=anew)
    rollout.store(desk)

    job = desk.make(held_out_share=0, base=base)

    one, two = lines_of(desk, job)
    assert learnt(one) == list(sample("the sum"))
    assert learnt(two) == list(sample("the answer"))
    assert two["token_ids"] == [*anew, *sample("the answer")]
    assert "steps" not in two["origin"]


def test_text_stands_in_for_tokens_that_are_not_there_or_of_another_tokenizer(
    desk: Desk, base: str
) -> None:
    Rollout("a").turn("what is one", "the sum").store(desk)
    Rollout("b").turn("what is two", "no", prompt_ids=None, ids=None, logprobs=None).store(desk)
    Rollout("c").turn("what is six", "is", prompt_ids=None).store(desk)
    Rollout("d").turn("what is ten", "ten", logprobs=(-1.0,)).store(desk)
    foreign = tuple(token + 3 for token in sample("of"))
    Rollout("e").turn("what is of", "of", ids=foreign).store(desk)
    Rollout("f").turn("what is it", "it", prompt_ids=(9999, 3)).store(desk)

    job = desk.make(held_out_share=0, base=base)

    assert job["result"]["facts"]["recorded_count"] == 1
    assert {one["why"]: one["count"] for one in job["result"]["facts"]["rebuilt"]} == {
        "No tokens were recorded with it.": 1,
        "Its server reported only some of its tokens.": 2,
        "The tokenizer of minute reads its tokens as another text.": 2,
    }
    kinds = [line["kind"] for line in lines_of(desk, job)]
    assert sorted(kinds) == ["chat"] * 5 + ["tokens"]
    (missing,) = (
        one for one in desk.examples(job) if one["messages"][0]["content"].endswith("two")
    )
    assert missing["origin"]["rebuilt"] == "No tokens were recorded with it."


def test_what_forks_share_is_learnt_in_one_of_them(desk: Desk, base: str) -> None:
    begun = Rollout("a").turn("what is one", "the sum")
    begun.turn("and two", "the answer").store(desk, task="sums")
    begun.turn("and ten", "of").store(desk, task="sums")
    begun.store(desk, task="sums")

    job = desk.make(held_out_share=0, base=base)

    lines = lines_of(desk, job)
    assert len({line["id"] for line in lines}) == len(lines)
    every = sorted(token for line in lines for token in learnt(line))
    parts = (sample("the sum"), sample("the answer"), sample("of"))
    assert every == sorted(token for part in parts for token in part)


def test_recorded_tokens_join_those_of_their_base_alone(desk: Desk, base: str) -> None:
    Rollout("a").turn("what is one", "the sum").store(desk)
    first = desk.make(held_out_share=0, base=base)["result"]["training_set_id"]
    Rollout("b").turn("what is two", "the answer").store(desk)

    def refuse(**body: Any) -> str:
        asked = {"name": "two", "held_out_share": 0, **body}
        return str(call(desk.client, "POST", "training-sets", asked, expect=422)["message"])

    joined = desk.make(name="both", held_out_share=0, base=base, joined=[first])

    assert joined["result"]["facts"]["recorded_count"] == 2
    assert "holds recorded tokens of minute" in refuse(joined=[first])
    assert "Only recorded calls have recorded tokens." in refuse(base=base, source="rebuilt")
    assert "There is no base model 'nothing'." in refuse(base="nothing")
    (models_folder() / base / "tokenizer.json").unlink()
    assert "has no tokenizer.json" in refuse(base=base)
    (models_folder() / base / "tokenizer.json").write_text("{")
    assert "The tokenizer of minute cannot be read" in refuse(base=base)


def test_a_finetune_of_a_base_with_another_tokenizer_is_refused_before_it_waits(
    desk: Desk, base: str
) -> None:
    Rollout("a").turn("what is one", "the sum").store(desk)
    made = desk.make(held_out_share=0, base=base)["result"]["training_set_id"]
    other = models_folder() / "other"
    shutil.copytree(models_folder() / base, models_folder() / "twin")
    shutil.copytree(models_folder() / base, other)
    tokenizer = json.loads((other / "tokenizer.json").read_text())
    words = tokenizer["model"]["vocab"]
    words["t"], words["o"] = words["o"], words["t"]
    (other / "tokenizer.json").write_text(json.dumps(tokenizer))

    def start(of: str, expect: int) -> Any:
        body = {"name": of, "training_set_id": made, "base": of}
        return call(desk.client, "POST", "finetunes", body, expect=expect)

    refused = start("other", 422)
    start("twin", 202)

    assert refused["message"] == (
        "Training set 'ours' holds recorded tokens of minute, which the tokenizer of other reads "
        "as different text. Choose minute, or make a set for other."
    )


@pytest.mark.slow
def test_the_trainer_takes_them_and_the_page_shows_them(
    desk: Desk, base: str, tmp_path: Path
) -> None:
    rollout = Rollout("a").turn("what is one", "the sum").turn("and two", "the answer")
    rollout.store(desk)
    Rollout("b").turn("what is it", "it", prompt_ids=None, ids=None, logprobs=None).store(desk)
    job = desk.make(held_out_share=0, base=base)
    lines = lines_of(desk, job)

    ids = {line["kind"]: line["id"] for line in lines}
    path = f"training-sets/{job['result']['training_set_id']}/tokens"
    seen = {
        kind: call(desk.client, "GET", f"{path}?{urlencode({'example': example, 'base': base})}")[
            "sequences"
        ][0]
        for kind, example in ids.items()
    }
    folder = write_run(tmp_path / "run", models_folder() / base, lines, steps=20)
    trainer = start_trainer(folder)
    _, words = finish(trainer)

    assert trainer.returncode == 0, words
    losses = [event["loss"] for event in read_events(folder, "step")]
    assert losses[-1] < losses[0]
    assert seen["tokens"]["is_recorded"]
    assert not seen["chat"]["is_recorded"]
    shown = [one["text"] for one in seen["tokens"]["pieces"] if one["weight"]]
    assert shown == [*"the sum", "<|end|>", *"the answer", "<|end|>"]


def test_the_command_says_how_many_are_recorded(desk: Desk, base: str) -> None:
    owner = replace(desk, project=find_operator("").project_id)
    Rollout("a").turn("what is one", "the sum").store(owner)
    Rollout("b").turn("what is two", "is", prompt_ids=None).store(owner)
    output = StringIO()

    call_command("make_training_set", "ours", "--held-out", "0", "--base", base, stdout=output)

    told = output.getvalue()
    assert "recorded tokens: 1 example" in told
    assert "text instead of recorded tokens 1: Its server reported only some of its tokens." in told
