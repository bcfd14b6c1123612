"""Writes `tests/recorded/inspect/sums.eval`: a log that Inspect made with its mock model.

It needs an environment with the packages in `inspect.txt`:

    ENVIRONMENT/bin/python benchmarks/peers/inspect_recording.py
"""

import shutil
import tempfile
from pathlib import Path
from typing import Any

from inspect_ai import Task
from inspect_ai import eval as evaluate
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import match
from inspect_ai.solver import generate, use_tools
from inspect_ai.tool import Tool, tool

TARGET = Path(__file__).resolve().parents[2] / "tests" / "recorded" / "inspect" / "sums.eval"


@tool
def add() -> Tool:
    async def execute(x: int, y: int) -> int:
        """Add two numbers.

        Args:
            x: First number.
            y: Second number.
        """
        return x + y

    return execute


def say(messages: list[Any], *_: Any) -> ModelOutput:
    """Call the tool for the first sum, and answer the second one wrong."""
    if messages[-1].role == "user" and "17" in messages[0].text:
        output = ModelOutput.for_tool_call("mockllm/model", "add", {"x": 17, "y": 4})
    else:
        right = messages[-1].role == "tool"
        output = ModelOutput.from_content("mockllm/model", "21" if right else "5")
    output.usage = ModelUsage(input_tokens=8, output_tokens=1)  # else it loads a tokenizer
    return output


def main() -> None:
    samples = [
        Sample(input="What is 17 + 4?", target="21", id="sum-1"),
        Sample(input="What is 2 + 2?", target="4", id=2),
    ]
    task = Task(
        MemoryDataset(samples, name="sums"),
        solver=[use_tools(add()), generate()],
        scorer=match(),
        epochs=2,
        name="sums",
    )
    with tempfile.TemporaryDirectory() as folder:
        model = get_model("mockllm/model", custom_outputs=say)
        (log,) = evaluate(task, model=model, log_dir=folder, display="none")
        TARGET.parent.mkdir(exist_ok=True)
        shutil.copyfile(log.location.removeprefix("file://"), TARGET)


if __name__ == "__main__":
    main()
