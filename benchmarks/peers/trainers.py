"""TRL's SFTTrainer and transformers' Trainer on the examples of a folder, for two benchmarks.

The folder has the model in `blank` and the examples in `samples.jsonl`, chats or tokens. Prints the
tokens a second after the first steps, and the most bytes of the GPU.
"""

import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import torch
from peft import LoraConfig, get_peft_model
from transformers import (
    AutoModelForCausalLM,
    AutoTokenizer,
    DataCollatorForSeq2Seq,
    Trainer,
    TrainerCallback,
    TrainingArguments,
)


class Clock(TrainerCallback):
    """Records when the warm-up steps were over, and the end."""

    def __init__(self, warm_steps: int) -> None:
        self.start = self.end = 0.0
        self.steps = 0
        self.warm_steps = warm_steps

    def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        if args.device.type == "cuda":
            torch.cuda.synchronize()
        self.end, self.steps = time.perf_counter(), state.global_step
        if state.global_step == self.warm_steps:
            self.start = self.end


def train(
    *,
    kind: str,
    folder: str,
    batch: int,
    rank: int,
    passes: int = 1,
    length: int = 1024,
    device: str = "cpu",
    warm_steps: int = 3,
) -> dict[str, float]:
    """Train one epoch; a batch goes through the model in `passes`."""
    torch.manual_seed(0)
    on_gpu = device == "cuda"
    blank = Path(folder) / "blank"
    tokenizer = AutoTokenizer.from_pretrained(blank)
    dtype = torch.bfloat16 if on_gpu else torch.float32
    model = AutoModelForCausalLM.from_pretrained(blank, dtype=dtype)
    lora = LoraConfig(
        task_type="CAUSAL_LM", r=rank, lora_alpha=2 * rank, target_modules="all-linear"
    )
    lines = list(map(json.loads, (Path(folder) / "samples.jsonl").read_text().splitlines()))
    encoded = [_encode(tokenizer, line) for line in lines]
    tokens = sum(len(one["input_ids"]) for one in encoded)
    clock = Clock(warm_steps)
    shared = {
        "output_dir": tempfile.mkdtemp(),
        "per_device_train_batch_size": batch // passes,
        "gradient_accumulation_steps": passes,
        "num_train_epochs": 1,
        "learning_rate": 1e-3,
        "lr_scheduler_type": "linear",
        "report_to": [],
        "save_strategy": "no",
        "logging_steps": 1,
        "use_cpu": not on_gpu,
        "disable_tqdm": True,
        "activation_checkpointing": False,
        "bf16": on_gpu,
    }
    if kind == "trl":
        trainer = _make_trl(shared, model, tokenizer, lora, lines, encoded, clock, length)
    else:
        grouped = {"train_sampling_strategy": "group_by_length"} if kind == "grouped" else {}
        trainer = Trainer(
            model=get_peft_model(model, lora),
            args=TrainingArguments(**shared, **grouped),
            train_dataset=encoded,
            data_collator=DataCollatorForSeq2Seq(tokenizer, label_pad_token_id=-100),
            callbacks=[clock],
        )
    trainer.train()
    share = (clock.steps - warm_steps) / clock.steps
    return {
        "tokens_per_second": tokens * share / (clock.end - clock.start),
        "memory": torch.cuda.max_memory_allocated() if on_gpu else 0,
    }


def _make_trl(
    shared: dict[str, Any],
    model: Any,
    tokenizer: Any,
    lora: LoraConfig,
    lines: list[dict[str, Any]],
    encoded: list[dict[str, Any]],
    clock: Clock,
    length: int,
) -> Trainer:
    from datasets import Dataset
    from trl import SFTConfig, SFTTrainer

    data = [
        {"prompt": line["messages"], "completion": [line["answer"]]}
        if line["kind"] == "chat"
        else {
            "input_ids": one["input_ids"],
            "completion_mask": [int(label >= 0) for label in one["labels"]],
        }
        for line, one in zip(lines, encoded, strict=True)
    ]
    return SFTTrainer(
        model=model,
        args=SFTConfig(**shared, max_length=length, completion_only_loss=True),
        train_dataset=Dataset.from_list(data),
        processing_class=tokenizer,
        peft_config=lora,
        callbacks=[clock],
    )


def _encode(tokenizer: Any, line: dict[str, Any]) -> dict[str, Any]:
    if line["kind"] == "tokens":
        ids, weights = line["token_ids"], line["weights"]
        labels = [one if weight else -100 for one, weight in zip(ids, weights, strict=True)]
        return {"input_ids": ids, "attention_mask": [1] * len(ids), "labels": labels}
    prompt = tokenizer.apply_chat_template(
        line["messages"], tokenize=False, add_generation_prompt=True
    )
    answer = line["answer"]["content"] + tokenizer.eos_token
    asked = tokenizer(prompt, add_special_tokens=False)["input_ids"]
    answer_ids = tokenizer(answer, add_special_tokens=False)["input_ids"]
    return {
        "input_ids": asked + answer_ids,
        "attention_mask": [1] * (len(asked) + len(answer_ids)),
        "labels": [-100] * len(asked) + answer_ids,
    }


if __name__ == "__main__":
    print(json.dumps(train(**json.loads(sys.argv[1]))))
