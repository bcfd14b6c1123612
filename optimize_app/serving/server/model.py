"""The base in memory with its adapters: one pass for rows that each have an adapter or none."""

import logging
from collections import OrderedDict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from peft import PeftConfig, PeftModelForCausalLM
from transformers import AutoModelForCausalLM, DynamicCache
from transformers.utils import logging as transformers_logging

from optimize_app.finetune.trainer.attention import skip_cudnn_attention
from optimize_app.finetune.trainer.errors import BaseModelError
from optimize_app.finetune.trainer.models import (
    adding_adapter,
    check_weights,
    choose_device,
    choose_precision,
    first_line,
)
from optimize_app.finetune.trainer.turn_ends import find_end_ids, load_tokenizer
from optimize_app.serving.server.adapters import FoundAdapter
from optimize_app.serving.server.config import ServerConfig
from optimize_app.serving.server.errors import AdapterError

transformers_logging.disable_progress_bar()  # programs read the output
log = logging.getLogger(__name__)

_BASE_ROW = "__base__"  # peft's name for a row without an adapter
_DEFAULT_CONTEXT = 4096


@dataclass(frozen=True)
class BaseModel:
    """A loaded base, and what serving needs to know about it."""

    model: Any
    tokenizer: Any
    device: torch.device
    precision: str
    vocabulary: int
    """The width of the logits."""
    max_context: int
    end_ids: tuple[int, ...]
    """Tokens that end a turn: those that training learnt, and those in the model's own config."""


def load_base(config: ServerConfig) -> BaseModel:
    """Load the base that a server is configured for.

    Raises:
        DeviceError: a GPU is requested, and there is none.
        BaseModelError: it cannot be loaded, or cannot be served.
    """
    device = choose_device(config.device)
    precision = choose_precision(config.precision, device)
    check_weights(config.base, allow_pickled=False)
    skip_cudnn_attention()
    try:
        tokenizer = load_tokenizer(config.base, revision=config.revision)
        model: Any = AutoModelForCausalLM.from_pretrained(
            config.base,
            revision=config.revision,
            dtype=torch.bfloat16 if precision == "bf16" else torch.float32,
            use_safetensors=True,
            attn_implementation="sdpa",
        )
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        raise BaseModelError(f"{config.base} cannot be loaded: {first_line(error)}") from error
    if not tokenizer.chat_template:
        raise BaseModelError(
            f"The tokenizer of {config.base} has no chat template, so chats cannot be written for "
            "it. Choose an instruction-tuned base model."
        )
    if not tokenizer.is_fast:
        raise BaseModelError(
            f"The tokenizer of {config.base} has no tokenizer.json, which grammars are compiled "
            "for; convert it to a fast one."
        )
    if getattr(model, "_is_stateful", False):
        raise BaseModelError(
            f"{config.base} keeps a state instead of keys and values, whose rows cannot be joined "
            "here; serve it with vLLM."
        )
    model = model.to(device).eval().requires_grad_(requires_grad=False)
    text = model.config.get_text_config(decoder=True)
    made_for = int(getattr(text, "max_position_embeddings", None) or _DEFAULT_CONTEXT)
    if config.max_context is not None and config.max_context > made_for:
        raise BaseModelError(
            f"{config.base} was made for {made_for:,} tokens; set max_context to no more."
        )
    return BaseModel(
        model=model,
        tokenizer=tokenizer,
        device=device,
        precision=precision,
        vocabulary=int(model.get_output_embeddings().weight.shape[0]),
        max_context=config.max_context or made_for,
        end_ids=_find_end_ids(tokenizer),
    )


def _find_end_ids(tokenizer: Any) -> tuple[int, ...]:
    found = find_end_ids(tokenizer)
    if not found:
        raise BaseModelError(
            "The tokenizer of the base has no token that ends a turn, so that no answer would end."
        )
    return found


class AdaptedModel:
    """One base and the adapters in use, for one thread."""

    def __init__(self, base: BaseModel, max_adapters: int) -> None:
        self.base = base
        self._max_adapters = max_adapters
        self._peft: Any = None
        self._loaded: OrderedDict[Path, str] = OrderedDict()  # the least recently used one first
        self._count = 0
        self._active: str | None = None

    @property
    def loaded(self) -> int:
        return len(self._loaded)

    def take(self, found: FoundAdapter, used: Collection[str]) -> str | None:
        """Return the key of an adapter, loading it; None if `used` rows take all places.

        Raises:
            AdapterError: its weights do not fit the base.
        """
        if (key := self._loaded.get(found.folder)) is not None:
            self._loaded.move_to_end(found.folder)
            return key
        if len(self._loaded) >= self._max_adapters:
            unused = next((path for path, key in self._loaded.items() if key not in used), None)
            if unused is None:
                return None
            self._unload(unused)
        self._count += 1
        key = f"a{self._count}"  # adapters may have names that modules may not
        self._load(found, key)
        self._loaded[found.folder] = key
        return key

    def forward(
        self,
        token_ids: torch.Tensor,
        mask: torch.Tensor,
        positions: torch.Tensor,
        cache: DynamicCache,
        adapters: Sequence[str | None],
    ) -> torch.Tensor:
        """Return the logits (rows, vocabulary) after the last of `token_ids` (rows, tokens).

        `mask` is (rows, cached tokens + tokens), `positions` like `token_ids`; `cache` grows.
        """
        extra: dict[str, Any] = {}
        if len(set(adapters)) == 1:
            model = self._choose(adapters[0])
        else:
            model = self._mix()
            extra["adapter_names"] = [key or _BASE_ROW for key in adapters]
        with torch.inference_mode():
            output = model(
                input_ids=token_ids,
                attention_mask=mask,
                position_ids=positions,
                past_key_values=cache,
                use_cache=True,
                logits_to_keep=1,
                **extra,
            )
        logits: torch.Tensor = output.logits[:, -1]
        return logits

    def _choose(self, key: str | None) -> Any:
        """Switch one adapter on for all rows, or all off: cheaper than naming one for each row."""
        if self._peft is None:
            return self.base.model
        if key is None:
            if self._active is not None:
                self._peft.base_model.disable_adapter_layers()
        elif key != self._active:
            self._peft.base_model.enable_adapter_layers()
            self._peft.set_adapter(key)
        self._active = key
        return self._peft.get_base_model()

    def _mix(self) -> Any:
        if self._active is None:
            self._peft.base_model.enable_adapter_layers()
            self._active = ""
        return self._peft

    def _load(self, found: FoundAdapter, key: str) -> None:
        try:
            if self._peft is None:
                lora = PeftConfig.from_pretrained(str(found.folder))
                lora.inference_mode = True
                with adding_adapter():
                    self._peft = PeftModelForCausalLM(self.base.model, lora, adapter_name=key)
            result = self._peft.load_adapter(
                found.folder, adapter_name=key, torch_device=str(self.base.device)
            )
            _check_complete(result, key)
        except Exception as error:  # a foreign file can raise anything
            self._forget(key)
            raise AdapterError(
                f"Adapter {found.name} does not fit the base {self.base.model.name_or_path}: "
                f"{first_line(error)}. Was it trained on another one?"
            ) from error
        finally:
            self._active = ""  # loading switches adapters on
            if self._peft is not None:
                self._peft.base_model.enable_adapter_layers()
        self._peft.eval()
        log.info("Loaded adapter %s.", found.name)

    def _unload(self, folder: Path) -> None:
        self._forget(self._loaded.pop(folder))
        log.info("Unloaded the adapter of %s.", folder)

    def _forget(self, key: str) -> None:
        if self._peft is not None and key in self._peft.peft_config:
            self._peft.delete_adapter(key)
        self._active = ""


def _check_complete(result: Any, key: str) -> None:
    missing = [name for name in result.missing_keys if f".{key}." in f"{name}."]
    for name in (*result.unexpected_keys, *missing):
        raise ValueError(f"{name} has no counterpart")
