"""The configuration of a finetune; every value is bounded and documented."""

from typing import Annotated, Final, Literal

from pydantic import Field, StringConstraints, model_validator

from tapes_app.engine.frozen_model import FrozenModel

Name = Annotated[str, StringConstraints(min_length=1, max_length=500)]
TrackerName = Literal["tensorboard", "wandb", "mlflow"]

ALL_LINEAR: Final = "all-linear"


class LoraConfig(FrozenModel):
    """Low-rank adapters (Hu et al. 2021, arXiv 2106.09685)."""

    rank: int = Field(default=16, ge=1, le=1024)
    """Width of the two added matrices. More can hold more; the best learning rate stays the
    same."""
    alpha: float = Field(default=32.0, gt=0, le=4096)
    """The adapter's output is scaled by alpha / rank (by alpha / sqrt(rank) with rsLoRA)."""
    dropout: float = Field(default=0.0, ge=0, lt=1)
    target_modules: Literal["all-linear"] | Annotated[tuple[Name, ...], Field(min_length=1)] = (
        ALL_LINEAR
    )
    """Names of the layers that get an adapter, such as `q_proj`; all linear ones but the head."""
    use_rslora: bool = False
    """Rank-stabilised scaling (Kalajdzievski 2023), for ranks of 64 and more."""
    use_dora: bool = False
    """Learn size and direction separately (Liu et al. 2024): a little better, a third slower."""


class FinetuneConfig(FrozenModel):
    """`config.json` of a run folder."""

    base: Name
    """A folder in Hugging Face format, or a name on the hub. `../…` is relative to the run
    folder."""
    revision: Name | None = None
    allow_pickled_weights: bool = False
    """Loading pickled weights can execute code in them; safetensors cannot."""

    objective: Literal["imitation", "preference"] = "imitation"
    """Imitation learns weighted tokens; preference learns from pairs (DPO, arXiv 2305.18290)."""
    beta: float = Field(default=0.1, gt=0, le=10)
    """Preference: how strongly the model is kept close to its base."""
    method: Literal["lora", "full"] = "lora"
    quantization: Literal["none", "4bit"] = "none"
    """Four-bit base weights under LoRA (QLoRA); needs bitsandbytes and a GPU."""
    lora: LoraConfig = LoraConfig()

    optimizer: Literal["adamw", "muon"] = "adamw"
    """Muon (for matrices; AdamW for the rest) suits training a small model from scratch."""
    learning_rate: float | None = Field(default=None, gt=0, le=1)
    """None: proposed from the model's width and family."""
    schedule: Literal["linear", "cosine", "constant"] = "linear"
    warmup_steps: int = Field(default=0, ge=0)
    final_fraction: float = Field(default=0.02, ge=0, le=1)
    """The share of the learning rate that remains at the last step."""
    weight_decay: float = Field(default=0.0, ge=0, le=1)
    clip_norm: float = Field(default=1.0, gt=0)

    epochs: float = Field(default=1.0, gt=0, le=1000)
    steps: int | None = Field(default=None, ge=1)
    """Optimizer steps; if set, this replaces the epochs."""
    batch_size: int = Field(default=32, ge=1, le=65536)
    """Examples per optimizer step, over all processes and passes."""
    tokens_per_pass: int = Field(default=8192, ge=1)
    """Tokens, with padding, that go through the model at once on one device. Affects memory, not
    results."""
    max_length: int = Field(default=4096, ge=8)
    """Number of tokens of the longest example allowed."""
    too_long: Literal["leave_out", "cut_start", "refuse"] = "leave_out"
    """What happens to longer examples; cutting removes the beginning, never the answer."""
    batching: Literal["bucketed", "packed"] = "bucketed"
    """Bucketed: examples of similar length, padded. Packed: one row without padding, for GPUs."""
    order: Literal["shuffled", "given"] = "shuffled"

    device: Literal["auto", "cpu", "cuda"] = "auto"
    processes: int = Field(default=1, ge=1, le=64)
    """Processes that share each step, one for each GPU of a machine."""
    sharded: bool = False
    """Each process holds a part of the weights, gradients and moments (FSDP2), for models that do
    not fit on one GPU. Otherwise each process holds all of them, which is faster."""
    precision: Literal["auto", "fp32", "bf16"] = "auto"
    """auto: bf16 on a GPU, fp32 on a CPU, where bf16 is slower for small models."""
    too_little_memory: Literal["wait", "refuse", "try"] = "wait"
    """What happens if less memory is free than the run is expected to need. With wait, it starts
    when others have ended; a run that can never fit is refused, except with try."""
    gradient_checkpointing: bool = False
    """Recompute activations in the backward pass: less memory, a third more time."""

    checkpoint_every: int = Field(default=50, ge=1)
    keep_checkpoints: int = Field(default=2, ge=1, le=100)
    evaluate_every: int = Field(default=50, ge=1)
    """Steps between two evaluations on `evaluation.jsonl`."""
    stop_after_worse: int | None = Field(default=None, ge=1)
    """End after this many evaluations without a new best loss, with the best weights."""
    generations: int = Field(default=4, ge=0, le=64)
    """Number of held-out prompts answered greedily at each evaluation."""
    generation_tokens: int = Field(default=128, ge=1, le=4096)
    trackers: tuple[TrackerName, ...] | None = None
    """Where curves are logged in addition to `metrics.jsonl`. None: TensorBoard if it is
    installed."""
    seed: int = Field(default=0, ge=0, lt=2**32)

    @model_validator(mode="after")
    def _check_together(self) -> "FinetuneConfig":
        if self.quantization == "4bit" and self.method != "lora":
            raise ValueError("Four-bit weights cannot be trained; choose LoRA with quantization.")
        if self.optimizer == "muon" and self.method != "full":
            raise ValueError("Muon trains full matrices; choose AdamW for LoRA.")
        if self.sharded and (self.optimizer == "muon" or self.quantization != "none"):
            raise ValueError("Muon and four-bit weights need full matrices; leave sharded off.")
        if self.sharded and self.objective == "preference" and self.method == "full":
            raise ValueError(
                "Preference over all weights keeps a full copy of the base; choose LoRA, or leave "
                "sharded off."
            )
        if self.max_length > self.tokens_per_pass:
            raise ValueError(
                f"An example of max_length ({self.max_length}) must fit into one pass; "
                f"tokens_per_pass is {self.tokens_per_pass}."
            )
        return self
