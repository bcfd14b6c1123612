"""What the peer's Studio does for one more step on a live tape: prints JSON last.

Its page shows the tape by rendering all of it again, as YAML and as HTML, and sends both.
"""

import json
import os
import sys
import tempfile
import time
from pathlib import Path

FOLDER = tempfile.mkdtemp(prefix="peer-benchmark-")
os.environ["TAPEAGENTS_SQLITE_DB"] = str(Path(FOLDER) / "tapedata.sqlite")

import yaml  # noqa: E402
from tapeagents.core import LLMCall, LLMOutput, Prompt, SetNextNode  # noqa: E402
from tapeagents.dialog_tape import AssistantThought, DialogTape, UserStep  # noqa: E402
from tapeagents.observe import (  # noqa: E402
    init_sqlite_if_not_exists,
    observe_llm_call,
    observe_tape,
    retrieve_tape_llm_calls,
)
from tapeagents.renderers.basic import BasicRenderer  # noqa: E402

ANSWER = "The next thing to look at is the one after this."


def build_tape(count):
    steps = [UserStep(content="Start.")]
    while len(steps) < count:
        steps += [AssistantThought(content=ANSWER), SetNextNode(next_node="loop")]
    return DialogTape(steps=steps[:count])


def show(renderer, tape_dict):
    """Do what `Studio.render_tape` does."""
    tape = DialogTape.model_validate(tape_dict)
    calls = retrieve_tape_llm_calls(tape)
    text = yaml.safe_dump(tape.model_dump(), sort_keys=False)
    return text, renderer.style + renderer.render_tape(tape, calls)


def store(tape):
    """Do what `Studio.run_agent` does with the call and the tape before it renders."""
    prompt = Prompt(messages=[{"role": "user", "content": "Look."}])
    output = LLMOutput(role="assistant", content=ANSWER)
    call = LLMCall(prompt=prompt, output=output, cached=False, llm_info={"model": "instant"})
    observe_llm_call(call)
    observe_tape(tape)


def timed(action, *arguments):
    begin = time.process_time()
    result = action(*arguments)
    return time.process_time() - begin, result


def main():
    count, repeats = int(sys.argv[1]), int(sys.argv[2])
    init_sqlite_if_not_exists()
    tape, renderer = build_tape(count), BasicRenderer()
    shows, stores, sent = [], [], 0
    for _ in range(repeats):
        tape = tape.append(AssistantThought(content=ANSWER))
        stores.append(timed(store, tape)[0])
        seconds, shown = timed(show, renderer, tape.model_dump())
        shows.append(seconds)
        sent = len(json.dumps(shown))
    middle = repeats // 2
    result = {"show": sorted(shows)[middle], "store": sorted(stores)[middle], "bytes": sent}
    print(json.dumps(result))


if __name__ == "__main__":
    main()
