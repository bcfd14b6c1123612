"""ShareGPT and OpenAI chat exports through LLaMA-Factory's own converters, in their own process."""

import json
import subprocess
import sys
from importlib.util import find_spec
from uuid import UUID

import pytest

from tapes_app.exchange.services.import_files import import_files
from tapes_app.interchange.folders import collect_files
from tests.interchange.test_training_lines import JSON, export
from tests.recordings import FOLDERS, RECORDINGS

_READ = """
import json, sys
from importlib.machinery import ModuleSpec
from types import ModuleType, SimpleNamespace

# It reads sound with torchaudio, which is not installed and is not asked for here.
sys.modules["torchaudio"] = ModuleType("torchaudio")
sys.modules["torchaudio"].__spec__ = ModuleSpec("torchaudio", None)
from llamafactory.data.converter import get_dataset_converter
from llamafactory.data.parser import DatasetAttr

# As its documentation says of each form in dataset_info.json.
forms = {
    "sharegpt": {"tools": "tools", "system": "system"},
    "openai": {
        "messages": "messages", "tools": "tools", "role_tag": "role", "content_tag": "content",
        "user_tag": "user", "assistant_tag": "assistant", "observation_tag": "tool",
        "function_tag": "function",
    },
}
asked = json.load(sys.stdin)
given = {"tools": "", "system": ""}
for form, names in forms.items():
    attr = DatasetAttr("file", "exported", formatting=form)
    for name, value in names.items():
        setattr(attr, name, value)
    convert = get_dataset_converter(form, attr, SimpleNamespace())
    print(json.dumps([convert({**given, **line}) for line in asked[form]]))
"""


def convert(**lines: list[JSON]) -> dict[str, list[JSON]]:
    """Return what the converters make of lines, by the form of these."""
    read = subprocess.run(
        [sys.executable, "-c", _READ], input=json.dumps(lines), capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert read.returncode == 0, read.stderr
    found = [json.loads(line) for line in read.stdout.splitlines() if line.startswith("[")]
    return dict(zip(("sharegpt", "openai"), found, strict=True))


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.skipif(find_spec("llamafactory") is None, reason="`make dev` installs llamafactory")
def test_llama_factory_reads_every_line_of_the_recordings(project: UUID) -> None:
    for folder in (recordings / name for recordings in RECORDINGS for name in FOLDERS):
        import_files(project, collect_files(folder), batch_name=str(folder))
    lines, _ = export(project, "sharegpt")
    chats, _ = export(project, "openai")

    read = convert(sharegpt=lines, openai=[chat for chat in chats if _ends_with_answer(chat)])

    assert lines
    for line, one in zip(lines, read["sharegpt"], strict=True):
        # An example that it cannot read comes out empty, with no more than a warning.
        turns = [turn for turn in line["conversations"] if turn["from"] != "system"]
        assert [turn["content"] for turn in (*one["_prompt"], *one["_response"])] == [
            turn["value"] for turn in turns
        ]
        assert one["_tools"] == line.get("tools", "")
        assert one["_response"][-1]["role"] in {"assistant", "function"}
    assert read["openai"]
    assert all(one["_response"] for one in read["openai"])


def _ends_with_answer(chat: JSON) -> bool:
    """Tell whether a chat is one that is learnt from; others it leaves out with a warning."""
    first = next(one for one in chat["messages"] if one["role"] != "system")
    return bool(chat["messages"][-1]["role"] == "assistant" and first["role"] == "user")
