"""Everything that is known about a run before its weights are loaded."""

import hashlib
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from typing import Any

import torch

from optimize_app.finetune.trainer.batching import StepPlan, plan_epoch, plan_step
from optimize_app.finetune.trainer.config import FinetuneConfig
from optimize_app.finetune.trainer.encoding import (
    EncodedSet,
    Item,
    encode_all,
    require_items,
)
from optimize_app.finetune.trainer.memory import check_memory, read_memory
from optimize_app.finetune.trainer.models import (
    BaseShape,
    check_fits,
    check_processes,
    check_quantization,
    choose_device,
    choose_precision,
    examine_base,
    load_tokenizer_of,
    resolve_rate,
)
from optimize_app.finetune.trainer.planning import RunPlan, make_plan
from optimize_app.finetune.trainer.room import check_room
from optimize_app.finetune.trainer.run_folder import RunFolder
from optimize_app.finetune.trainer.trackers import choose_trackers
from optimize_app.training_sets.samples import read_samples

_LIBRARIES = ("accelerate", "peft", "torch", "transformers", "tokenizers")


@dataclass(frozen=True)
class PreparedRun:
    """A run whose config, examples, base and machine fit together."""

    folder: RunFolder
    config: FinetuneConfig
    config_hash: str
    data_hash: str
    device: torch.device
    precision: str
    tokenizer: Any
    shape: BaseShape
    training: EncodedSet
    held_out: tuple[Item, ...]
    plan: RunPlan

    @cached_property
    def lengths(self) -> list[int]:
        return [len(item) for item in self.training.items]

    def plan_batch(self, step: int, *, processes: int, tokens_per_pass: int) -> StepPlan:
        """Return what optimizer step `step` (from 0) trains on, in each process."""
        epoch, place = divmod(step, self.plan.steps_per_epoch)
        return plan_step(
            self._epoch(epoch)[place],
            self.lengths,
            tokens_per_pass=tokens_per_pass,
            processes=processes,
            padded=self.config.batching == "bucketed",
        )

    def batch(self, step: int) -> list[Item]:
        """Return the examples of an optimizer step."""
        epoch, place = divmod(step, self.plan.steps_per_epoch)
        return [self.training.items[at] for at in self._epoch(epoch)[place]]

    def _epoch(self, epoch: int) -> list[tuple[int, ...]]:
        known: dict[int, list[tuple[int, ...]]] = self.__dict__.setdefault("_epochs", {})
        if epoch not in known:
            known.clear()
            known[epoch] = _order(self.config, self.lengths, epoch)
        return known[epoch]

    def resolved(self) -> dict[str, Any]:
        """Return `resolved.json`: the config with all values filled in, hashes, versions, plan."""
        return {
            "config": {
                **self.config.model_dump(mode="json"),
                "learning_rate": self.plan.learning_rate,
                "steps": self.plan.steps,
                "device": self.device.type,
                "precision": self.precision,
            },
            "config_hash": self.config_hash,
            "data_hash": self.data_hash,
            "libraries": {name: version(name) for name in _LIBRARIES},
            "plan": self.plan.to_json(),
            "left_out": self.training.left_out,
        }


def prepare(folder: RunFolder, *, memory_limit: int | None = None) -> PreparedRun:
    """Return a run that can start, given that it may need at most `memory_limit` bytes.

    Raises:
        RunFolderError, SampleError, BaseModelError, DeviceError: something does not fit; the
        message is one sentence that states what would.
    """
    config = folder.read_config()
    # Where the weights are kept changes nothing about what is learnt, so a run may resume either
    # way.
    asked = config.model_dump_json(exclude={"sharded"})
    config_hash = hashlib.sha256(asked.encode()).hexdigest()
    config = config.model_copy(update={"base": folder.find_base(config)})
    data_hash = folder.hash_data()
    device = choose_device(config.device)
    check_processes(config, device)
    check_quantization(config, device)
    precision = choose_precision(config.precision, device)
    config = config.model_copy(update={"trackers": choose_trackers(config)})
    samples = read_samples(folder.samples_file)
    shape = examine_base(config)
    check_room(folder.path, shape.trainable, config)
    tokenizer = load_tokenizer_of(config)
    training = require_items(encode_all(samples, tokenizer, config))
    held_out = EncodedSet(())
    if folder.evaluation_file.is_file():
        held_out = encode_all(read_samples(folder.evaluation_file), tokenizer, config)
    for item in (*training.items, *held_out.items):
        check_fits(item, shape)
    lengths = [len(item) for item in training.items]
    plan = make_plan(
        config=config,
        shape=shape,
        training=training,
        held_out=held_out,
        steps_per_epoch=len(_order(config, lengths, 0)),
        rate=resolve_rate(config, shape),
        device=device,
        precision=precision,
    )
    check_memory(plan.expected_memory, read_memory(device, memory_limit), config)
    return PreparedRun(
        folder=folder,
        config=config,
        config_hash=config_hash,
        data_hash=data_hash,
        device=device,
        precision=precision,
        tokenizer=tokenizer,
        shape=shape,
        training=training,
        held_out=held_out.items,
        plan=plan,
    )


def _order(config: FinetuneConfig, lengths: list[int], epoch: int) -> list[tuple[int, ...]]:
    return plan_epoch(
        lengths,
        config.batch_size,
        seed=config.seed,
        epoch=epoch,
        shuffled=config.order == "shuffled",
    )
