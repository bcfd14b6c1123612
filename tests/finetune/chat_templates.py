"""Chat templates in the style of models that people finetune, with a small tokenizer for each.

Each does to an answer what the templates of its models do: what it leaves out, where it opens
thoughts, and how it ends a turn.
"""

from dataclasses import dataclass
from typing import Any

from transformers import PreTrainedTokenizerFast

from tests.finetune.folders import make_tokenizer

_ASK = "{% if add_generation_prompt %}"


@dataclass(frozen=True)
class Kind:
    """A chat template, and what its models have for the ends of turns."""

    template: str
    eos: str
    marks: tuple[str, ...] = ()
    """Further special tokens."""
    configured: tuple[str, ...] = ()
    """The ends of a turn in the generation config."""


def make_tokenizer_of(kind: Kind) -> PreTrainedTokenizerFast:
    """Return a small tokenizer with the special tokens and the template of a kind of model."""
    tokenizer = make_tokenizer(kind.template)
    special = [*kind.marks, *kind.configured, kind.eos]
    tokenizer.add_special_tokens({"additional_special_tokens": special})
    tokenizer.eos_token = kind.eos
    ends: Any = tokenizer.convert_tokens_to_ids(list(kind.configured))
    tokenizer.turn_end_ids = tuple(ends)
    return tokenizer


_CHATML_BEGIN = (
    "{% if tools %}<|im_start|>system\n{% for tool in tools %}{{ tool | tojson }}\n{% endfor %}"
    "<|im_end|>\n{% endif %}{% for m in messages %}<|im_start|>{{ m.role }}\n"
)
_CHATML_END = "<|im_end|>\n{% endfor %}" + _ASK + "<|im_start|>assistant\n"
_JSON_CALLS = (
    "{% for call in m.tool_calls or [] %}\n<tool_call>\n{{ call.function | tojson }}\n"
    "</tool_call>{% endfor %}"
)
_THOUGHTS = "<think>\n{{ (m.reasoning_content or '').strip() }}\n</think>\n\n"
_XML_CALLS = (
    "{% for call in m.tool_calls or [] %}<tool_call>\n<function={{ call.function.name }}>\n"
    "{% for key, value in call.function.arguments.items() %}<parameter={{ key }}>\n{{ value }}\n"
    "</parameter>\n{% endfor %}</function>\n</tool_call>\n{% endfor %}"
)

CHATML = Kind(
    _CHATML_BEGIN.partition("{% endif %}")[2] + "{{ m.content }}" + _CHATML_END + "{% endif %}",
    eos="<|im_end|>",
)
HERMES = Kind(
    _CHATML_BEGIN + "{{ m.content }}" + _JSON_CALLS + _CHATML_END + "{% endif %}",
    eos="<|im_end|>",
)
QWEN_25 = Kind(HERMES.template, eos="<|endoftext|>", configured=("<|im_end|>", "<|endoftext|>"))
QWEN_3 = Kind(
    _CHATML_BEGIN
    + "{% if m.role == 'assistant' and loop.last %}"
    + _THOUGHTS
    + "{% endif %}{{ m.content }}"
    + _JSON_CALLS
    + _CHATML_END
    + "{% endif %}",
    eos="<|im_end|>",
)
QWEN_35 = Kind(
    _CHATML_BEGIN
    + "{% if m.role == 'assistant' %}"
    + _THOUGHTS
    + "{% endif %}{{ m.content }}"
    + _XML_CALLS
    + _CHATML_END
    + "<think>\n{% endif %}",
    eos="<|im_end|>",
)
NEMOTRON = Kind(
    _CHATML_BEGIN
    + "{% if m.role == 'assistant' %}{% if m.reasoning_content %}<think>\n"
    + "{{ m.reasoning_content }}\n</think>\n{% else %}<think></think>{% endif %}{% endif %}"
    + "{{ m.content }}"
    + _XML_CALLS
    + _CHATML_END
    + "<think>\n{% endif %}",
    eos="<|im_end|>",
)
R1 = Kind(
    "{% for m in messages %}{% if m.role == 'user' %}<|User|>{{ m.content }}{% else %}<|Assistant|>"
    "{{ m.content.split('</think>')[-1] }}<|end_of_sentence|>{% endif %}{% endfor %}"
    + _ASK
    + "<|Assistant|><think>\n{% endif %}",
    eos="<|end_of_sentence|>",
    marks=("<|User|>", "<|Assistant|>"),
)
LLAMA_31 = Kind(
    "{% if tools %}{{ tools | tojson }}{% endif %}{% for m in messages %}"
    "<|start_header_id|>{{ m.role }}<|end_header_id|>\n\n{% if m.tool_calls %}"
    "{% if m.tool_calls | length != 1 %}{{ raise_exception('Only single calls!') }}{% endif %}"
    '{"name": "{{ m.tool_calls[0].function.name }}", "parameters": '
    "{{ m.tool_calls[0].function.arguments | tojson }}}"
    "{% else %}{{ m.content | trim }}{% endif %}<|eot_id|>{% endfor %}"
    + _ASK
    + "<|start_header_id|>assistant<|end_header_id|>\n\n{% endif %}",
    eos="<|end_of_text|>",
    configured=("<|end_of_text|>", "<|eom_id|>", "<|eot_id|>"),
)
LFM_2 = Kind(
    _CHATML_BEGIN + "{{ m.content }}" + _CHATML_END + "{% endif %}",
    eos="<|im_end|>",
)
SMOL_VLM = Kind(
    "{% for m in messages %}{{ m.role | capitalize }}: {% for line in m.content %}"
    "{% if line.type == 'text' %}{{ line.text }}{% endif %}{% endfor %}<end_of_utterance>\n"
    "{% endfor %}" + _ASK + "Assistant:{% endif %}",
    eos="<end_of_utterance>",
)
GPT_OSS = Kind(
    "{% if tools %}<|start|>developer<|message|>{{ tools | tojson }}<|end|>{% endif %}"
    "{% for m in messages %}{% if m.role == 'user' %}<|start|>user<|message|>{{ m.content }}<|end|>"
    "{% else %}{% if m.content and m.tool_calls and m.thinking %}{{ raise_exception('Not both!') }}"
    "{% endif %}{% set thought = m.thinking or (m.content if m.tool_calls else '') %}"
    "{% if thought %}<|start|>assistant<|channel|>analysis<|message|>{{ thought }}<|end|>"
    "{% endif %}"
    "{% if m.tool_calls %}<|start|>assistant to=functions.{{ m.tool_calls[0].function.name }}"
    "<|channel|>commentary json<|message|>{{ m.tool_calls[0].function.arguments | tojson }}<|call|>"
    "{% else %}<|start|>assistant<|channel|>final<|message|>{{ m.content }}<|return|>{% endif %}"
    "{% endif %}{% endfor %}" + _ASK + "<|start|>assistant{% endif %}",
    eos="<|return|>",
    marks=("<|start|>", "<|message|>", "<|channel|>", "<|call|>"),
)
MISTRAL = Kind(
    "{% if tools %}[AVAILABLE_TOOLS]{{ tools | tojson }}[/AVAILABLE_TOOLS]{% endif %}"
    "{% for m in messages %}{% if m.role == 'user' %}[INST]{{ m.content }}[/INST]"
    "{% elif m.tool_calls %}[TOOL_CALLS][{% for call in m.tool_calls %}"
    "{% if call.id | length != 9 %}{{ raise_exception('Ids have 9 characters!') }}{% endif %}"
    '{"name": "{{ call.function.name }}", "arguments": {{ call.function.arguments | tojson }}, '
    '"id": "{{ call.id }}"}{{ ", " if not loop.last }}{% endfor %}]</s>'
    "{% else %} {{ m.content }}</s>{% endif %}{% endfor %}",
    eos="</s>",
    marks=("[INST]", "[/INST]"),
)
GEMMA_3 = Kind(
    "{% for m in messages %}<start_of_turn>{{ 'model' if m.role == 'assistant' else m.role }}\n"
    "{{ m.content | trim }}<end_of_turn>\n{% endfor %}"
    + _ASK
    + "<start_of_turn>model\n{% endif %}",
    eos="<eos>",
    marks=("<start_of_turn>", "<end_of_turn>"),
)
GEMMA_4 = Kind(
    "{% if tools %}<|tool>{{ tools | tojson }}<tool|>{% endif %}{% for m in messages %}"
    "<|turn>{{ 'model' if m.role == 'assistant' else m.role }}\n"
    "{% for call in m.tool_calls or [] %}<|tool_call>call:{{ call.function.name }}{{ '{' }}"
    "{% for key, value in call.function.arguments | dictsort %}"
    "{{ key }}:{{ value }}{{ ',' if not loop.last }}"
    "{% endfor %}{{ '}' }}<tool_call|>{% endfor %}{{ m.content }}"
    "{{ '<|tool_response>' if m.tool_calls }}<turn|>\n{% endfor %}"
    + _ASK
    + "<|turn>model\n{% endif %}",
    eos="<turn|>",
    configured=("<turn|>", "<|tool_response>"),
)
PHI_3 = Kind(
    "{% for m in messages %}<|{{ m.role }}|>\n{{ m.content }}<|end|>\n{% endfor %}"
    + _ASK
    + "<|assistant|>\n{% else %}<|endoftext|>{% endif %}",
    eos="<|endoftext|>",
    configured=("<|endoftext|>", "<|assistant|>", "<|end|>"),
)
COMMAND_R = Kind(
    "{% for m in messages %}<|START|>{% if m.role == 'user' %}<|USER|>{{ m.content }}"
    "{% else %}<|CHATBOT|><|START_RESPONSE|>{{ m.content }}<|END_RESPONSE|>{% endif %}"
    "<|END_OF_TURN|>{% endfor %}" + _ASK + "<|START|><|CHATBOT|><|START_RESPONSE|>{% endif %}",
    eos="<|END_OF_TURN|>",
    marks=("<|START|>", "<|START_RESPONSE|>", "<|END_RESPONSE|>"),
)
GRANITE = Kind(
    "{% if tools %}<|role|>tools<|/role|>{{ tools | tojson }}<|end_of_text|>\n{% endif %}"
    "{% for m in messages %}<|role|>{{ m.role }}<|/role|>{{ m.content }}{% if m.tool_calls %}"
    "<|tool_call|>[{% for call in m.tool_calls %}{{ call.function | tojson }}"
    "{{ ', ' if not loop.last }}{% endfor %}]{% endif %}<|end_of_text|>\n{% endfor %}"
    + _ASK
    + "<|role|>assistant<|/role|>{% endif %}",
    eos="<|end_of_text|>",
    marks=("<|role|>", "<|/role|>", "<|tool_call|>"),
)
GLM_45 = Kind(
    "{% if tools %}<|system|>{{ tools | tojson }}{% endif %}{% for m in messages %}<|{{ m.role }}|>"
    "\n{% if m.role == 'assistant' %}<think>{{ m.reasoning_content }}</think>\n{% endif %}"
    "{{ m.content }}{% for call in m.tool_calls or [] %}\n<tool_call>{{ call.function.name }}\n"
    "{% for key, value in call.function.arguments.items() %}<arg_key>{{ key }}</arg_key>\n"
    "<arg_value>{{ value if value is string else value | tojson }}</arg_value>\n{% endfor %}"
    "</tool_call>{% endfor %}{% endfor %}" + _ASK + "<|assistant|>{% endif %}",
    eos="<|endoftext|>",
    configured=("<|endoftext|>", "<|user|>", "<|observation|>"),
)
