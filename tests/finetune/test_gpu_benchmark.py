"""The benchmark that needs a GPU: what it does there, on a CPU with tiny shapes."""

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import torch

from optimize_app.finetune.trainer.config import FinetuneConfig
from optimize_app.finetune.trainer.models import load_model
from optimize_app.serving.server.config import ServerConfig
from optimize_app.serving.server.model import load_base

_BENCHMARKS = str(Path(__file__).resolve().parents[2] / "benchmarks")
TINY = {
    "model": {
        "vocab_size": 600,
        "hidden_size": 32,
        "intermediate_size": 64,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "num_key_value_heads": 1,
        "max_position_embeddings": 128,
        "tie_word_embeddings": True,
    },
    "rank": 4,
    "steps": 7,
    "batch": 4,
    "passes": 2,
    "length": 64,
    "answer": 4,
}


# The peer's trainer does not quiet what peft makes transformers say.
@pytest.mark.filterwarnings("ignore:.is_gradient_checkpointing. is deprecated:FutureWarning")
@pytest.mark.slow
def test_every_part_works_and_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(_BENCHMARKS)
    gpu, gpu_parts = import_module("gpu"), import_module("gpu_parts")

    def call_here(part: str, asked: dict[str, Any]) -> dict[str, Any]:
        return dict(gpu_parts.PARTS[part](**asked))

    measurement = gpu.Measurement(tmp_path, call=call_here, device="cpu", results=tmp_path)
    measurement.measure({gpu.REPEATED: TINY})

    result = json.loads((tmp_path / "gpu.json").read_text())
    found = {row["case"]: row for row in result["rows"]}
    for batching in ("bucketed", "packed"):
        for peer in ("TRL SFTTrainer", "transformers Trainer"):
            speeds = found[f"1B, {batching}, beside {peer}"]
            assert speeds["ours"] > 0
            assert speeds["peer"] > 0
    for title in ("resumed at half", "trained again"):
        assert found[f"1B, {title}: largest difference of a weight"]["ours"] == 0
    assert found["1B, fp32: trainer and server, 28 tokens: largest"]["ours"] < 1e-4
    assert found["1B, bf16: trainer and server, 28 tokens: largest"]["ours"] < 0.5
    assert result["gpu"] == "CPU"
    assert "Claim 10" in capsys.readouterr().out


def test_trainer_and_server_leave_out_an_attention_that_plans_for_each_length(base: Path) -> None:
    torch.backends.cuda.enable_cudnn_sdp(enabled=True)
    load_model(FinetuneConfig(base=str(base)), torch.device("cpu"), "fp32")
    assert not torch.backends.cuda.cudnn_sdp_enabled()

    torch.backends.cuda.enable_cudnn_sdp(enabled=True)
    load_base(ServerConfig(base=str(base), device="cpu"))
    assert not torch.backends.cuda.cudnn_sdp_enabled()


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_without_a_gpu_it_refuses_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(_BENCHMARKS)

    with pytest.raises(SystemExit, match="This machine has no GPU"):
        import_module("gpu").main()
