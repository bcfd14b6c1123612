"""What cannot be trained is refused before a weight is loaded, with a sentence each."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import AutoModelForCausalLM

from optimize_app.finetune.__main__ import FINISHED, REFUSED, main
from optimize_app.finetune.trainer.config import FinetuneConfig
from optimize_app.finetune.trainer.errors import BaseModelError
from optimize_app.finetune.trainer.models import load_model
from tests.finetune.folders import make_base, make_chats, write_lines, write_run


def refusal(run: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """Return the sentence of a refused dry run; nothing may be written."""
    before = sorted(path.name for path in run.iterdir())
    assert main([str(run), "--dry-run"]) == REFUSED
    assert sorted(path.name for path in run.iterdir()) == before
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    return said


def test_a_dry_run_prints_what_would_be_done_and_trains_nothing(
    base: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = write_run(
        tmp_path / "run", base, make_chats(10), learning_rate=None, epochs=2, max_length=36
    )

    assert main([str(run), "--dry-run"]) == FINISHED

    told = json.loads(capsys.readouterr().out)
    assert told["config"]["learning_rate"] == pytest.approx(5e-4 * (2000 / 32) ** 0.781, rel=0.05)
    assert told["config"]["precision"] == "fp32"
    assert told["plan"]["steps"] == 2 * told["plan"]["steps_per_epoch"]
    assert set(told["left_out"]) == {"sum-4", "sum-9"}
    assert told["plan"]["notes"] == [
        "2 of 10 examples left out. An example is longer than max_length."
    ]
    assert len(told["data_hash"]) == 64
    assert not (run / "metrics.jsonl").exists()


@pytest.mark.parametrize(
    ("config", "sentence"),
    [
        ({"base": "/nowhere/at/all"}, "neither a model folder nor a name on the hub"),
        ({"lora": {"target_modules": ["query"]}}, "Its linear layers are down_proj, gate_proj"),
        ({"device": "cuda"}, "This machine has no GPU"),
        ({"quantization": "4bit"}, "need a GPU and the package bitsandbytes"),
        ({"method": "full", "quantization": "4bit"}, "Four-bit weights cannot be trained"),
        ({"method": "full", "optimizer": "muon", "sharded": True}, "need full matrices"),
        ({"method": "full", "objective": "preference", "sharded": True}, "leave sharded off"),
        ({"trackers": ["mlflow"]}, "The tracker mlflow needs the package mlflow"),
        ({"learning_rate": -1}, "config.json: learning_rate: Input should be greater than 0"),
        ({"rank": 8}, "config.json: rank: Extra inputs are not permitted"),
        ({"max_length": 512}, "must fit into one pass"),
        ({"objective": "preference"}, "sum-0 is not a preference pair"),
        ({"max_length": 8}, "There is no example to train on. Example sum-0 has"),
        ({"too_long": "refuse", "max_length": 20}, "raise max_length"),
    ],
)
@pytest.mark.skipif(torch.cuda.is_available(), reason="says what a machine without a GPU says")
def test_a_config_that_does_not_fit(
    base: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    config: dict[str, Any],
    sentence: str,
) -> None:
    run = write_run(tmp_path / "run", base, make_chats(3))
    known = json.loads((run / "config.json").read_text())
    (run / "config.json").write_text(json.dumps({**known, **config}))

    assert sentence in refusal(run, capsys)


@pytest.mark.parametrize("plugin", ["FSDP", "DEEPSPEED"])
def test_a_launch_that_shards_by_a_plugin_is_refused_with_the_option_that_does(
    base: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    plugin: str,
) -> None:
    monkeypatch.setenv(f"ACCELERATE_USE_{plugin}", "true")

    assert 'Set "sharded" to true' in refusal(write_run(tmp_path, base, make_chats(3)), capsys)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"token_ids": [1, 99_999]}, "a has tokens that the base model does not know"),
        ({"text": "something else"}, "a reads differently in the tokens of the base model"),
        ({"weights": [0, 1, 1]}, "2 tokens need as many weights, not 3"),
        ({"logprobs": [None]}, "2 tokens need as many logprobs, not 1"),
        ({"token_ids": [-1, 3]}, "Line 1 of samples.jsonl is not an example: tokens.token_ids.0"),
        ({"weights": [1, 0]}, "a has no token to learn"),
    ],
)
def test_recorded_tokens_that_cannot_be_learnt(
    base: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    change: dict[str, Any],
    sentence: str,
) -> None:
    example = {"kind": "tokens", "id": "a", "token_ids": [9, 8], "weights": [0, 1], **change}
    run = write_run(tmp_path / "run", base, [example])

    assert sentence in refusal(run, capsys)


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        ([], "Put examples into samples.jsonl"),
        ([{"kind": "chat", "id": "a"}], "Line 1 of samples.jsonl is not an example: chat.messages"),
        (
            [*make_chats(1), *make_chats(1)],
            "Lines 1 and 2 of samples.jsonl have the same id, 'sum-0'",
        ),
        ([{"kind": "text", "id": "a", "text": "abc", "spans": []}], "a has no token to learn"),
        (
            [{"kind": "text", "id": "a", "text": "abc", "spans": [{"start": 1, "end": 9}]}],
            "a span ends at 9, after the text (3 characters)",
        ),
        (
            [{"kind": "tokens", "id": "a", "token_ids": [1, 2], "weights": [1]}],
            "2 tokens need as many weights, not 1",
        ),
    ],
)
def test_examples_that_cannot_be_learnt(
    base: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    lines: list[dict[str, Any]],
    sentence: str,
) -> None:
    run = write_run(tmp_path / "run", base, make_chats(1))
    write_lines(run / "samples.jsonl", lines)

    assert sentence in refusal(run, capsys)


def test_a_folder_that_lacks_its_files(
    base: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty").mkdir()
    assert "has no config.json" in refusal(tmp_path / "empty", capsys)
    run = write_run(tmp_path / "run", base, make_chats(1))
    (run / "samples.jsonl").unlink()
    assert "has no samples.jsonl" in refusal(run, capsys)


def test_bases_that_are_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pickled = make_base(tmp_path / "pickled")
    weights = AutoModelForCausalLM.from_pretrained(pickled).state_dict()
    (pickled / "model.safetensors").unlink()
    torch.save(weights, pickled / "pytorch_model.bin")
    bare = make_base(tmp_path / "bare", template=None)
    words = shutil.copytree(bare, tmp_path / "words")
    (words / "model.safetensors").unlink()
    capsys.readouterr()  # what making them printed

    for base, sentence in (
        (pickled, "a pickle, which can run code when it is loaded"),
        (bare, "has no chat template"),
        (words, "holds no weights"),
    ):
        run = write_run(tmp_path / f"run-{base.name}", base, make_chats(2))
        assert sentence in refusal(run, capsys)


def test_bases_that_do_not_fit_their_tokenizer_or_their_examples(
    base: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    larger = shutil.copytree(base, tmp_path / "larger")
    shorter = shutil.copytree(base, tmp_path / "shorter")
    torn = shutil.copytree(base, tmp_path / "torn")
    for folder, key, value in ((larger, "vocab_size", 40), (shorter, "max_position_embeddings", 9)):
        described = json.loads((folder / "config.json").read_text())
        (folder / "config.json").write_text(json.dumps({**described, key: value}))
    weights = (torn / "model.safetensors").read_bytes()
    (torn / "model.safetensors").write_bytes(weights[: len(weights) // 2])

    for folder, sentence in (
        (larger, "its tokenizer is larger than the model"),
        (shorter, "and the base model was made for 9. Set max_length to no more."),
    ):
        run = write_run(tmp_path / f"run-{folder.name}", folder, make_chats(2))
        assert sentence in refusal(run, capsys)
    with pytest.raises(BaseModelError, match=r"The weights of .*torn cannot be loaded"):
        load_model(FinetuneConfig(base=str(torn)), torch.device("cpu"), "fp32")


def test_no_room_on_the_disk(
    base: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run = write_run(tmp_path / "run", base, make_chats(2))
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(10, 10, 1000))

    assert "and the disk of" in refusal(run, capsys)
