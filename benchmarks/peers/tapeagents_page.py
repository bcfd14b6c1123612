"""The peer's own page of the same tape: reads steps as JSON lines, writes HTML; prints JSON last.

Each prompt is cut to its last 2 kB: with full-history prompts the page would have gigabytes.
"""

import json
import os
import sys
import tempfile
import time
from pathlib import Path

FOLDER = tempfile.mkdtemp(prefix="peer-benchmark-")
os.environ["TAPEAGENTS_SQLITE_DB"] = str(Path(FOLDER) / "tapedata.sqlite")

from tapeagents.core import LLMCall, LLMOutput, Prompt, StepMetadata  # noqa: E402
from tapeagents.dialog_tape import (  # noqa: E402
    AssistantStep,
    AssistantThought,
    DialogTape,
    UserStep,
)
from tapeagents.renderers.basic import BasicRenderer  # noqa: E402

KINDS = {"assistant_thought": AssistantThought, "assistant": AssistantStep}


def main():
    source, target = Path(sys.argv[1]), Path(sys.argv[2])
    steps, calls, history = [], {}, ""
    for line in source.read_text().splitlines():
        kind, text, prompt_id = json.loads(line)
        metadata = StepMetadata(prompt_id=prompt_id, agent="analyst", node="look")
        steps.append(KINDS.get(kind, UserStep)(content=text, metadata=metadata))
        if prompt_id and prompt_id not in calls:
            prompt = Prompt(id=prompt_id, messages=[{"role": "user", "content": history[-2000:]}])
            output = LLMOutput(role="assistant", content=text)
            calls[prompt_id] = LLMCall(prompt=prompt, output=output, cached=False)
        history = (history + "\n" + text)[-2000:]
    renderer = BasicRenderer()
    begin = time.perf_counter()
    body = renderer.style + renderer.render_tape(DialogTape(steps=steps), calls)
    seconds = time.perf_counter() - begin
    target.write_text(f"<!doctype html><meta charset=utf-8><body>{body}</body>")
    print(json.dumps({"seconds": seconds, "bytes": target.stat().st_size}))


if __name__ == "__main__":
    main()
