"""Base models: finding them, checking them before loading, loading, and adding adapters."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import torch
from peft import LoraConfig as PeftLoraConfig
from peft import get_peft_model
from safetensors import SafetensorError
from transformers import AutoConfig, AutoModelForCausalLM
from transformers.utils import logging as transformers_logging

from optimize_app.finetune.trainer.attention import choose_attention, skip_cudnn_attention
from optimize_app.finetune.trainer.config import ALL_LINEAR, FinetuneConfig
from optimize_app.finetune.trainer.encoding import EncodedPair, Item
from optimize_app.finetune.trainer.errors import BaseModelError, DeviceError
from optimize_app.finetune.trainer.presets import propose_learning_rate
from optimize_app.finetune.trainer.turn_ends import load_tokenizer

transformers_logging.disable_progress_bar()  # programs read the output


@dataclass(frozen=True)
class BaseShape:
    """What is known about a base model without its weights."""

    family: str
    width: int
    layers: int
    vocabulary: int
    positions: int | None
    """How many tokens it was made to read; `None` if its config does not state it."""
    parameters: int
    linear_parameters: int
    """Weights that every token is multiplied with, including the head."""
    trainable: int
    linear_names: tuple[str, ...]


def choose_device(wanted: str) -> torch.device:
    """Return where to train: `cuda`, `cpu`, or for `auto` a GPU if there is one.

    Raises:
        DeviceError: a GPU is requested, and there is none.
    """
    if wanted == "cuda" and not torch.cuda.is_available():
        raise DeviceError('This machine has no GPU. Set device to "auto" or "cpu".')
    on_gpu = wanted != "cpu" and torch.cuda.is_available()
    return torch.device("cuda" if on_gpu else "cpu")


def check_processes(config: FinetuneConfig, device: torch.device) -> None:
    """Raise `DeviceError` if there are fewer GPUs than processes."""
    gpus = torch.cuda.device_count()
    if device.type == "cuda" and config.processes > gpus:
        raise DeviceError(
            f"The run asks for {config.processes} processes, and this worker has "
            f"{gpus} GPU{'' if gpus == 1 else 's'}. Set processes to {gpus}, or give the worker "
            "more (STUDIO_GPUS_PER_WORKER)."
        )


def check_quantization(config: FinetuneConfig, device: torch.device) -> None:
    """Raise `DeviceError` if four-bit weights are not available."""
    on_gpu = device.type == "cuda"
    if config.quantization == "4bit" and (not on_gpu or find_spec("bitsandbytes") is None):
        raise DeviceError(
            "Four-bit base weights need a GPU and the package bitsandbytes. Set quantization to "
            '"none", or install it.'
        )


def choose_precision(wanted: str, device: torch.device) -> str:
    """Return `fp32` or `bf16`; `auto` chooses what the device is good at."""
    if wanted != "auto":
        return wanted
    return "bf16" if device.type == "cuda" else "fp32"


def load_tokenizer_of(config: FinetuneConfig) -> Any:
    """Return the base model's tokenizer.

    Raises:
        BaseModelError: the base has none.
    """
    try:
        return load_tokenizer(config.base, revision=config.revision)
    except (OSError, ValueError, KeyError) as error:
        raise BaseModelError(
            f"{config.base} has no tokenizer that can be loaded: {first_line(error)}"
        ) from error


def examine_base(config: FinetuneConfig) -> BaseShape:
    """Return the shape of a base model, without loading any weights.

    Raises:
        BaseModelError: it is not a model, its weights are pickled, or it lacks the target modules.
    """
    described = _load_description(config)
    check_weights(config.base, allow_pickled=config.allow_pickled_weights)
    with torch.device("meta"):
        try:
            model = AutoModelForCausalLM.from_config(described)
        except (ValueError, TypeError, AttributeError) as error:
            raise BaseModelError(
                f"{config.base} is not a language model: {first_line(error)}"
            ) from error
        linear = {
            name: module
            for name, module in model.named_modules()
            if isinstance(module, torch.nn.Linear)
        }
        head = model.get_output_embeddings()
        names = tuple(
            sorted({name.rsplit(".", 1)[-1] for name, part in linear.items() if part is not head})
        )
        _check_targets(config, names)
        everything = sum(parameter.numel() for parameter in model.parameters())
        if config.method == "lora":
            model = _add_adapter(model, config)
        trainable = sum(part.numel() for part in model.parameters() if part.requires_grad)
    return BaseShape(
        family=str(described.model_type),
        width=int(described.hidden_size),
        layers=int(described.num_hidden_layers),
        vocabulary=int(described.vocab_size),
        positions=getattr(described, "max_position_embeddings", None),
        parameters=everything,
        linear_parameters=sum(part.weight.numel() for part in linear.values()),
        trainable=trainable,
        linear_names=names,
    )


def check_fits(item: Item, shape: BaseShape) -> None:
    """Raise `BaseModelError` if a model has no embedding or no position for a token."""
    for part in (item.chosen, item.rejected) if isinstance(item, EncodedPair) else (item,):
        if shape.positions is not None and len(part) > shape.positions:
            raise BaseModelError(
                f"Example {part.id} has {len(part):,} tokens, and the base model was made for "
                f"{shape.positions:,}. Set max_length to no more."
            )
        if max(part.token_ids) >= shape.vocabulary:
            raise BaseModelError(
                f"Example {part.id} has token {max(part.token_ids)}, and the base model has "
                f"embeddings for {shape.vocabulary:,} tokens only: its tokenizer is larger than "
                "the model. Choose a base model whose tokenizer is its own."
            )


def check_weights(base: str, *, allow_pickled: bool) -> None:
    """Check the files of a base that is a folder; one on the hub is checked when it is loaded.

    Raises:
        BaseModelError: it holds no weights, or pickled ones without permission.
    """
    folder = Path(base)
    if not folder.is_dir():
        return
    if any(folder.glob("*.safetensors")):
        return
    pickled = sorted(path.name for path in folder.glob("*.bin"))
    if not pickled:
        raise BaseModelError(f"{base} holds no weights (no file *.safetensors).")
    if not allow_pickled:
        raise BaseModelError(
            f"{base} has its weights in {pickled[0]}, a pickle, which can run code when it "
            "is loaded. Save it as safetensors, or set allow_pickled_weights if you trust it."
        )


def resolve_rate(config: FinetuneConfig, shape: BaseShape) -> float:
    """Return the configured learning rate, or the one that suits the model."""
    if config.learning_rate is not None:
        return config.learning_rate
    return propose_learning_rate(shape.family, shape.width, config.method)


def load_model(config: FinetuneConfig, device: torch.device, precision: str) -> torch.nn.Module:
    """Return the model with its trainable part unfrozen.

    The frozen base of a LoRA is kept in the precision of the run; whatever is trained is fp32.

    Raises:
        BaseModelError: its weights cannot be loaded.
    """
    skip_cudnn_attention()
    frozen = config.method == "lora" and precision == "bf16"
    options: dict[str, Any] = {
        "dtype": torch.bfloat16 if frozen else torch.float32,
        "use_safetensors": None if config.allow_pickled_weights else True,
        "revision": config.revision,
        "attn_implementation": choose_attention(
            _load_description(config), device, packed=config.batching == "packed"
        ),
    }
    if config.quantization == "4bit":
        from transformers import BitsAndBytesConfig

        options["quantization_config"] = BitsAndBytesConfig(
            load_in_4bit=True,
            bnb_4bit_quant_type="nf4",
            bnb_4bit_compute_dtype=torch.bfloat16,
            bnb_4bit_use_double_quant=True,
        )
        options["device_map"] = {"": device}
    try:
        model: Any = AutoModelForCausalLM.from_pretrained(config.base, **options)
    except (OSError, ValueError, RuntimeError, SafetensorError) as error:
        raise BaseModelError(
            f"The weights of {config.base} cannot be loaded: {first_line(error)}"
        ) from error
    model.config.use_cache = False
    if config.gradient_checkpointing:
        model.activation_checkpointing_enable({"use_reentrant": False})
        model.enable_input_require_grads()
    if config.method == "lora":
        torch.manual_seed(config.seed)  # the adapter's first weights are random
        model = _add_adapter(model, config)
    trained: torch.nn.Module = model
    return trained


@contextmanager
def base_of_adapter(model: torch.nn.Module) -> Iterator[torch.nn.Module]:
    """Provide the model without its adapter, which is the model before training."""
    inner: Any = getattr(model, "module", model)
    with inner.disable_adapter():
        yield inner


def freeze_copy(model: torch.nn.Module) -> torch.nn.Module:
    """Return a frozen copy."""
    return deepcopy(model).eval().requires_grad_(requires_grad=False)


@contextmanager
def adding_adapter() -> Iterator[None]:
    """Wrap a model without a warning: peft reads an old name of transformers, as of 0.21."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*is_gradient_checkpointing", FutureWarning)
        yield


def _add_adapter(model: Any, config: FinetuneConfig) -> Any:
    with adding_adapter():
        return get_peft_model(model, _lora(config))


def _lora(config: FinetuneConfig) -> PeftLoraConfig:
    lora = config.lora
    return PeftLoraConfig(
        task_type="CAUSAL_LM",
        r=lora.rank,
        lora_alpha=lora.alpha,  # type: ignore[arg-type]
        lora_dropout=lora.dropout,
        target_modules=(
            ALL_LINEAR if lora.target_modules == ALL_LINEAR else list(lora.target_modules)
        ),
        use_rslora=lora.use_rslora,
        use_dora=lora.use_dora,
    )


def _load_description(config: FinetuneConfig) -> Any:
    try:
        described = AutoConfig.from_pretrained(config.base, revision=config.revision)
    except (OSError, ValueError, KeyError) as error:
        raise BaseModelError(
            f"{config.base} is neither a model folder nor a name on the hub: {first_line(error)}"
        ) from error
    if not hasattr(described, "vocab_size") or not hasattr(described, "hidden_size"):
        raise BaseModelError(f"{config.base} is not a language model; choose one that writes text.")
    return described


def _check_targets(config: FinetuneConfig, names: tuple[str, ...]) -> None:
    if config.method != "lora" or config.lora.target_modules == ALL_LINEAR:
        return
    unknown = [name for name in config.lora.target_modules if name not in names]
    if unknown:
        raise BaseModelError(
            f"The base model has no layer {', '.join(unknown)}. Its linear layers are "
            f"{', '.join(names)}."
        )


def first_line(error: Exception) -> str:
    """Return the first line of a library's error; the rest is for its developers."""
    return str(error).strip().split("\n", 1)[0][:300]
