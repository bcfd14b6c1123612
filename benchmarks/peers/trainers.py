"""TRL's SFTTrainer and transformers' Trainer on the examples of `benchmarks/finetune.py`."""

import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import torch
from datasets import Dataset
from peft import LoraConfig, get_peft_model
from transformers import (
    AutoModelForCausalLM,
    AutoTokenizer,
    DataCollatorForSeq2Seq,
    Trainer,
    TrainerCallback,
    TrainingArguments,
)
from trl import SFTConfig, SFTTrainer

WARM_STEPS = 3


class Clock(TrainerCallback):
    """Remembers when the warm steps were over, and the end."""

    def __init__(self) -> None:
        self.start = self.end = 0.0
        self.steps = 0

    def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        self.end, self.steps = time.perf_counter(), state.global_step
        if state.global_step == WARM_STEPS:
            self.start = self.end


def main(kind: str, folder: str, batch: int, rank: int) -> float:
    blank = Path(folder) / "blank"
    tokenizer = AutoTokenizer.from_pretrained(blank)
    model = AutoModelForCausalLM.from_pretrained(blank)
    lora = LoraConfig(
        task_type="CAUSAL_LM", r=rank, lora_alpha=2 * rank, target_modules="all-linear"
    )
    lines = [json.loads(line) for line in (Path(folder) / "samples.jsonl").open()]
    encoded = [_encode(tokenizer, line) for line in lines]
    tokens = sum(len(one["input_ids"]) for one in encoded)
    clock = Clock()
    shared = {
        "output_dir": tempfile.mkdtemp(),
        "per_device_train_batch_size": batch,
        "num_train_epochs": 1,
        "learning_rate": 1e-3,
        "lr_scheduler_type": "linear",
        "report_to": [],
        "save_strategy": "no",
        "logging_steps": 1,
        "use_cpu": True,
        "disable_tqdm": True,
        "gradient_checkpointing": False,
        "bf16": False,
    }
    if kind == "trl":
        data = Dataset.from_list(
            [
                {
                    "prompt": line["messages"],
                    "completion": [line["answer"]],
                }
                for line in lines
            ]
        )
        trainer: Trainer = SFTTrainer(
            model=model,
            args=SFTConfig(**shared, max_length=1024, completion_only_loss=True),
            train_dataset=data,
            processing_class=tokenizer,
            peft_config=lora,
            callbacks=[clock],
        )
    else:
        grouped = {"train_sampling_strategy": "group_by_length"} if kind == "grouped" else {}
        trainer = Trainer(
            model=get_peft_model(model, lora),
            args=TrainingArguments(**shared, **grouped),
            train_dataset=Dataset.from_list(encoded),
            data_collator=DataCollatorForSeq2Seq(tokenizer, label_pad_token_id=-100),
            callbacks=[clock],
        )
    trainer.train()
    share = (clock.steps - WARM_STEPS) / clock.steps
    return tokens * share / (clock.end - clock.start)


def _encode(tokenizer: Any, line: dict[str, Any]) -> dict[str, Any]:
    prompt = tokenizer.apply_chat_template(
        line["messages"], tokenize=False, add_generation_prompt=True
    )
    answer = line["answer"]["content"] + tokenizer.eos_token
    asked = tokenizer(prompt, add_special_tokens=False)["input_ids"]
    said = tokenizer(answer, add_special_tokens=False)["input_ids"]
    return {
        "input_ids": asked + said,
        "attention_mask": [1] * (len(asked) + len(said)),
        "labels": [-100] * len(asked) + said,
    }


if __name__ == "__main__":
    kind, folder, batch, rank = sys.argv[1:]
    torch.manual_seed(0)
    print(json.dumps(main(kind, folder, int(batch), int(rank))))
