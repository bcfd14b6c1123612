"""OpenAI chat exports through TRL's own reader, with a chat template as strict as models have."""

from pathlib import Path
from uuid import UUID

import pytest
from trl.data_utils import apply_chat_template, is_conversational

from tapes_app.exchange.services.import_files import import_files
from tapes_app.interchange.folders import collect_files
from tests.finetune.folders import make_tokenizer
from tests.interchange.test_training_lines import JSON, export
from tests.recordings import EACH_FOLDER

_STRICT = (
    "{% for tool in tools or [] %}<|system|>{{ tool['function']['name'] }}<|end|>{% endfor %}"
    "{% for m in messages %}"
    "{% if not loop.first and m['role'] != 'tool' and loop.previtem['role'] == m['role'] %}"
    "{{ raise_exception('Turns must alternate.') }}{% endif %}"
    "{% if m['role'] == 'system' and not loop.first %}"
    "{{ raise_exception('The system message comes first.') }}{% endif %}"
    "<|{{ m['role'] }}|>{{ m['content'] or '' }}"
    "{% for call in m['tool_calls'] or [] %}{{ call['function'] | tojson }}{% endfor %}<|end|>"
    "{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}"
)


@pytest.mark.django_db
@pytest.mark.parametrize("folder", EACH_FOLDER)
def test_trl_reads_every_line_of_a_recording(folder: Path, project: UUID) -> None:
    tokenizer = make_tokenizer(_STRICT)
    import_files(project, collect_files(folder), batch_name="all")

    chats, _ = export(project, "openai")

    for chat in chats:
        assert is_conversational(chat)
        given: JSON = {key: chat[key] for key in ("messages", "tools") if key in chat}
        text = apply_chat_template(given, tokenizer)["text"]
        assert_in_order(chat, text)


def assert_in_order(chat: JSON, text: str) -> None:
    """Check that nothing a model is to learn got lost: every word of the assistant is there."""
    at = 0
    for message in chat["messages"]:
        words = message["content"] if message["role"] == "assistant" else ""
        if isinstance(words, str) and words:
            at = text.index(words, at) + len(words)
