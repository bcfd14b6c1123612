"""The trainer over a run folder: it learns, survives a kill, and a stopped run goes on."""

import json
import shutil
import signal
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file

from optimize_app.finetune.__main__ import FINISHED, REFUSED, STOPPED, main
from tests.finetune.folders import finish, make_chats, read_events, start_trainer, write_run
from tests.waiting import wait_until


def losses(folder: Path) -> list[tuple[int, float]]:
    return [(line["step"], line["loss"]) for line in read_events(folder, "step")]


def assert_same_adapter(one: Path, other: Path) -> None:
    left = load_file(one / "adapter" / "adapter_model.safetensors")
    right = load_file(other / "adapter" / "adapter_model.safetensors")
    assert left.keys() == right.keys()
    assert all(torch.equal(left[name], right[name]) for name in left)


def test_negative_weights_unlearn_what_positive_ones_learn(base: Path, tmp_path: Path) -> None:
    better, worse = make_chats(1)[0], make_chats(1)[0]
    better |= {"id": "better", "answer": {"content": "5"}, "weight": 1.0}
    worse |= {"id": "worse", "answer": {"content": "7"}, "weight": -1.0}
    run = write_run(tmp_path / "run", base, [better, worse], steps=30, batch_size=2)

    assert main([str(run)]) == FINISHED

    # Of each example: its mean negative log-probability times its weight.
    first, *_, last = [event["examples"] for event in read_events(run, "step")]
    assert last["better"] < first["better"]
    assert -last["worse"] > -first["worse"]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"batching": "packed"},
        {"method": "full", "learning_rate": 2e-3},
        {"method": "full", "optimizer": "muon", "learning_rate": 5e-3},
        {
            "lora": {"rank": 4, "target_modules": ["q_proj", "up_proj"], "use_dora": True},
            "learning_rate": 5e-2,
        },
        {"gradient_checkpointing": True},
    ],
)
def test_a_run_learns_and_leaves_a_result(
    base: Path, tmp_path: Path, options: dict[str, Any]
) -> None:
    chats = make_chats(8)
    run = write_run(
        tmp_path / "run",
        base,
        chats,
        held_out=chats[:4],
        steps=40,
        evaluate_every=20,
        generations=4,
        generation_tokens=6,
        **options,
    )

    assert main([str(run)]) == FINISHED

    steps = read_events(run, "step")
    assert len(steps) == 40
    assert steps[-1]["loss"] < steps[0]["loss"] - 0.2
    assert {name for line in steps for name in line["examples"]} == {chat["id"] for chat in chats}
    evaluations = read_events(run, "evaluation")
    assert [line["step"] for line in evaluations] == [20, 40]
    first, *_ = generations = read_events(run, "generation")
    assert len(generations) == 8
    for line in evaluations:  # greedy answers go wrong where another token is likelier
        answers = [one for one in generations if one["step"] == line["step"]]
        right = [one["answer"] == one["expected"] for one in answers]
        assert line["answers_right"] == sum(right) / 4
    assert first["prompt"] == "<|user|>0 + 0 =<|end|>\n<|assistant|>"
    assert first["expected"] == "0<|end|>"
    name = "model" if options.get("method") == "full" else "adapter"
    assert list((run / name).glob("*.safetensors"))
    assert json.loads((run / "result.json").read_text())["state"] == "succeeded"
    assert read_events(run, "measured")[0]["step"] == 3


@pytest.mark.slow
def test_a_killed_run_goes_on_to_the_very_same_weights(base: Path, tmp_path: Path) -> None:
    # Dropout is random, and it must be the same after the kill.
    options: dict[str, Any] = {
        "steps": 300,
        "checkpoint_every": 20,
        "lora": {"rank": 8, "dropout": 0.05},
    }
    whole = write_run(tmp_path / "whole", base, make_chats(30), **options)
    killed = write_run(tmp_path / "killed", base, make_chats(30), **options)

    trainer = start_trainer(killed)
    wait_until(lambda: trainer.poll() is not None or "step-00000060" in _checkpoints(killed))
    trainer.send_signal(signal.SIGKILL)
    finish(trainer)
    assert trainer.returncode == -signal.SIGKILL
    before, newest = sorted(_checkpoints(killed))[-2:]
    weights = killed / "checkpoints" / newest / "weights.safetensors"
    weights.write_bytes(weights.read_bytes()[:-9])  # as a full disk or a broken one leaves it
    assert main([str(killed)]) == FINISHED
    assert main([str(whole)]) == FINISHED

    assert read_events(killed, "resumed")[0]["step"] == int(before.removeprefix("step-")) >= 40
    message = json.loads((killed / "result.json").read_text())["message"]
    assert f"The checkpoint {newest} was damaged, so the run went on from {before}." in message
    assert losses(killed) == losses(whole)
    assert_same_adapter(killed, whole)


def _checkpoints(folder: Path) -> set[str]:
    return {path.name for path in (folder / "checkpoints").glob("step-*")}


def test_a_stopped_run_keeps_its_place(base: Path, tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", base, make_chats(12), steps=12)
    whole = write_run(tmp_path / "whole", base, make_chats(12), steps=12)
    (run / "stop").touch()

    assert main([str(run)]) == STOPPED
    assert json.loads((run / "result.json").read_text())["state"] == "cancelled"
    assert main([str(run)]) == FINISHED
    assert main([str(whole)]) == FINISHED
    assert_same_adapter(run, whole)
    assert main([str(run)]) == FINISHED  # it is finished: nothing happens
    assert len(read_events(run, "end")) == 1


@pytest.mark.slow
def test_a_terminated_process_saves_and_says_so(base: Path, tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", base, make_chats(12), steps=100_000, checkpoint_every=1000)

    trainer = start_trainer(run)
    wait_until(lambda: trainer.poll() is not None or read_steps(run))
    trainer.terminate()
    output, problems = finish(trainer)

    assert trainer.returncode == STOPPED, problems
    assert "it can be resumed" in output
    assert "Warning" not in problems
    assert len(_checkpoints(run)) == 1


def read_steps(folder: Path) -> int:
    file = folder / "metrics.jsonl"
    return file.read_text().count('"event": "step"') if file.is_file() else 0


@pytest.mark.slow
def test_two_processes_train_as_one(base: Path, tmp_path: Path) -> None:
    options: dict[str, Any] = {"steps": 6, "batch_size": 5, "checkpoint_every": 3}
    one = write_run(tmp_path / "one", base, make_chats(11), **options)
    two = write_run(tmp_path / "two", base, make_chats(11), **options)
    launcher = ("-m", "torch.distributed.run", "--nproc_per_node=2", "--standalone")

    trainer = start_trainer(two, launcher=launcher)
    _, problems = finish(trainer)
    assert trainer.returncode == 0, problems
    assert main([str(one)]) == FINISHED

    for (_, left), (_, right) in zip(losses(one), losses(two), strict=True):
        assert left == pytest.approx(right, abs=1e-4)
    for mine, theirs in zip(read_events(one, "step"), read_events(two, "step"), strict=True):
        assert mine["examples"].keys() == theirs["examples"].keys()
        assert mine["tokens"] == theirs["tokens"]


@pytest.mark.slow
def test_processes_that_each_hold_a_part_go_on_where_one_with_all_of_it_was(
    base: Path, tmp_path: Path
) -> None:
    options: dict[str, Any] = {"steps": 4, "batch_size": 5, "checkpoint_every": 2}
    options |= {"method": "full", "evaluate_every": 2, "generations": 1, "keep_checkpoints": 9}
    chats, held_out = make_chats(11), make_chats(3, first=50)
    one = write_run(tmp_path / "one", base, chats, held_out=held_out, **options)
    two = write_run(tmp_path / "two", base, chats, held_out=held_out, sharded=True, **options)
    assert main([str(one)]) == FINISHED
    begun = Path("checkpoints", "step-00000002")
    shutil.copytree(one / begun, two / begun)

    trainer = start_trainer(
        two, launcher=("-m", "torch.distributed.run", "--nproc_per_node=2", "--standalone")
    )
    _, problems = finish(trainer)

    assert trainer.returncode == 0, problems
    assert [step for step, _ in losses(two)] == [3, 4]
    for (_, alone), (_, together) in zip(losses(one)[2:], losses(two), strict=True):
        assert together == pytest.approx(alone, abs=1e-4)
    measured = [read_events(run, "evaluation")[-1]["loss"] for run in (one, two)]
    assert measured[1] == pytest.approx(measured[0], abs=1e-4)
    assert [event["answer"] for event in read_events(two, "generation")] == [
        event["answer"] for event in read_events(one, "generation")[1:]
    ]
    for file in ("checkpoints/step-00000004/weights.safetensors", "model/model.safetensors"):
        whole, gathered = load_file(one / file), load_file(two / file)
        assert whole.keys() == gathered.keys()
        for name, value in whole.items():
            assert torch.allclose(gathered[name], value, atol=1e-5), name
    moments = [
        torch.load(run / "checkpoints/step-00000004/optimizer.pt", weights_only=True)[0]["state"]
        for run in (one, two)
    ]
    for place, kept in moments[0].items():
        assert torch.allclose(moments[1][place]["exp_avg"], kept["exp_avg"], atol=1e-5)


def test_how_a_step_is_split_changes_nothing(base: Path, tmp_path: Path) -> None:
    ways: list[dict[str, Any]] = [
        {"tokens_per_pass": 1024, "batching": "bucketed"},
        {"tokens_per_pass": 128, "batching": "bucketed"},
        {"tokens_per_pass": 1024, "batching": "packed"},
        {"tokens_per_pass": 128, "batching": "packed"},
    ]
    found = []
    for number, way in enumerate(ways):
        run = write_run(tmp_path / str(number), base, make_chats(16), steps=8, batch_size=8, **way)
        assert main([str(run)]) == FINISHED
        found.append(losses(run))

    for other in found[1:]:
        for (_, left), (_, right) in zip(found[0], other, strict=True):
            assert left == pytest.approx(right, abs=2e-4)


def test_it_ends_when_the_held_out_loss_rises_with_the_best_weights(
    base: Path, tmp_path: Path
) -> None:
    wrong = [{**chat, "answer": {"content": "zzzz"}} for chat in make_chats(4)]
    run = write_run(
        tmp_path / "run",
        base,
        make_chats(4),
        held_out=wrong,
        steps=400,
        evaluate_every=5,
        stop_after_worse=2,
        keep_checkpoints=1,
    )

    assert main([str(run)]) == FINISHED

    result = json.loads((run / "result.json").read_text())
    evaluations = read_events(run, "evaluation")
    best = min(evaluations, key=lambda line: line["loss"])
    assert result["state"] == "stopped_early"
    assert result["step"] < 400
    assert result["message"].endswith(f"the weights of step {best['step']}.")
    kept = load_file(run / "checkpoints" / f"step-{best['step']:08d}" / "weights.safetensors")
    given = load_file(run / "adapter" / "adapter_model.safetensors")
    assert {value.sum().item() for value in kept.values()} == {
        value.sum().item() for value in given.values()
    }


@pytest.mark.parametrize("method", ["lora", "full"])
def test_preferences_move_the_model_towards_the_better_answer(
    base: Path, tmp_path: Path, method: str
) -> None:
    pairs = [
        {
            "kind": "preference",
            "id": chat["id"],
            "chosen": chat,
            "rejected": {**chat, "answer": {"content": "no idea"}},
        }
        for chat in make_chats(8)
    ]
    run = write_run(tmp_path / "run", base, pairs, objective="preference", method=method, steps=15)

    assert main([str(run)]) == FINISHED

    steps = read_events(run, "step")
    assert steps[0]["loss"] == pytest.approx(0.6931, abs=1e-3)  # ln 2: nothing learnt yet
    assert steps[-1]["loss"] < 0.5
    assert steps[-1]["preferred"] == 1.0


def test_a_changed_run_is_refused_and_nothing_is_lost(
    base: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = write_run(tmp_path / "run", base, make_chats(8), steps=10)
    assert main([str(run)]) == FINISHED
    (run / "result.json").unlink()
    before = _checkpoints(run)

    write_run(run, base, make_chats(8), steps=11)
    assert main([str(run)]) == REFUSED
    assert "The config of this run changed after step 10" in capsys.readouterr().err
    write_run(run, base, make_chats(9), steps=10)
    assert main([str(run)]) == REFUSED
    assert "The examples of this run changed" in capsys.readouterr().err
    assert _checkpoints(run) == before


def test_a_loss_that_is_no_number_ends_the_run_with_the_cause(base: Path, tmp_path: Path) -> None:
    endless = [{**make_chats(1)[0], "weight": 1e39}]
    run = write_run(tmp_path / "run", base, endless, steps=5)

    assert main([str(run)]) == REFUSED

    result = json.loads((run / "result.json").read_text())
    assert result["state"] == "failed"
    assert "is not a number" in result["message"]
    assert result["details"]["reason"] == "not_finite"


def test_a_held_out_loss_that_is_no_number_ends_the_run(base: Path, tmp_path: Path) -> None:
    endless = [{**make_chats(1)[0], "weight": 1e39}]
    run = write_run(
        tmp_path / "run", base, make_chats(4), held_out=endless, steps=8, evaluate_every=6
    )

    assert main([str(run)]) == REFUSED

    result = json.loads((run / "result.json").read_text())
    assert result["state"] == "failed"
    assert result["message"].startswith("The held-out loss after step 6 is not a number.")
    assert result["message"].endswith("The checkpoint of step 5 is kept.")
    assert "Infinity" not in (run / "metrics.jsonl").read_text()


def test_a_model_that_became_worse_than_guessing_is_no_result(base: Path, tmp_path: Path) -> None:
    run = write_run(
        tmp_path / "run", base, make_chats(8), method="full", learning_rate=1.0, steps=8
    )

    assert main([str(run)]) == REFUSED

    result = json.loads((run / "result.json").read_text())
    assert result["state"] == "failed"
    assert result["message"].startswith("The loss diverged: at step 8 it is ")
    assert "Lower the learning rate (now 1)" in result["message"]
    assert not (run / "model").exists()
