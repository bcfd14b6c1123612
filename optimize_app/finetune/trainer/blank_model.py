"""A tiny untrained language model: `python -m optimize_app.finetune.trainer.blank_model FOLDER`.

It writes an ordinary Hugging Face folder with a tokenizer and random weights. The tokenizer reads
bytes, so any text round-trips unchanged. A space is a separate token and digits are single: a word
then has the same tokens after a space, a quote or at the start of a line, which is what makes
copying learnable at this size.
"""

import json
import sys
from pathlib import Path

import torch
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from optimize_app.finetune.trainer.base_corpus import list_documents
from optimize_app.finetune.trainer.documents import END, ROLES

_SPLIT = r"[A-Za-z]+|[0-9]|\s|[^A-Za-z0-9\s]+"
TEMPLATE = (
    "{% if tools %}<|system|>{{ tools | tojson }}<|end|>\n{% endif %}"
    "{% for message in messages %}<|{{ message['role'] }}|>{{ message['content'] or '' }}"
    "{% for call in message['tool_calls'] or [] %}{{ call['function'] | tojson }}{% endfor %}"
    "<|end|>\n{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}"
)


def make_tokenizer(vocabulary: int, seed: int) -> PreTrainedTokenizerFast:
    """Return a tokenizer of the base corpus with special tokens for roles and the end of a turn."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(_SPLIT), behavior="isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    special = [END, *ROLES]
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        special_tokens=special,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    texts = (turn.text for document in list_documents(2000, seed) for turn in document)
    tokenizer.train_from_iterator(texts, trainer)
    made = PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token=END, pad_token=END)
    made.add_special_tokens({"additional_special_tokens": list(ROLES)})
    made.chat_template = TEMPLATE
    return made


def make_model(
    vocabulary: int, end_id: int, *, width: int, layers: int, seed: int
) -> LlamaForCausalLM:
    """Return a Llama-shaped model with random weights."""
    torch.manual_seed(seed)
    return LlamaForCausalLM(
        LlamaConfig(
            vocab_size=vocabulary,
            hidden_size=width,
            intermediate_size=width * 5 // 2,
            num_hidden_layers=layers,
            num_attention_heads=width // 32,
            num_key_value_heads=width // 32,
            max_position_embeddings=2048,
            tie_word_embeddings=True,
            bos_token_id=None,
            eos_token_id=end_id,
            pad_token_id=end_id,
        )
    )


def main(arguments: list[str]) -> int:
    """Write the model that `recipe.json` in the folder describes into its folder `blank`."""
    (folder,) = map(Path, arguments)
    recipe = json.loads((folder / "recipe.json").read_bytes())
    tokenizer = make_tokenizer(recipe["vocabulary"], recipe["seed"])
    model = make_model(
        len(tokenizer),
        tokenizer.eos_token_id,
        width=recipe["width"],
        layers=recipe["layers"],
        seed=recipe["seed"],
    )
    model.save_pretrained(folder / "blank")
    tokenizer.save_pretrained(folder / "blank")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
