"""The sums of `sweep_task.py` in Inspect, with its mock model.

inspect_sweep.py SUMS EPOCHS SECONDS AT_ONCE
"""

import json
import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import anyio
from inspect_ai import Task
from inspect_ai import eval as evaluate
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import match
from inspect_ai.solver import generate
from sweep_task import answer, expected, question


def main(sums: int, epochs: int, seconds: float, at_once: int) -> None:
    async def say(messages: list[Any], *_: Any) -> ModelOutput:
        if seconds:
            await anyio.sleep(seconds)
        output = ModelOutput.from_content("mockllm", answer(messages[-1].text))
        output.usage = ModelUsage(input_tokens=8, output_tokens=1)  # else it loads a tokenizer
        return output

    samples = [Sample(input=question(number), target=expected(number)) for number in range(sums)]
    task = Task(MemoryDataset(samples), solver=generate(), scorer=match(), epochs=epochs)
    model = get_model("mockllm/model", custom_outputs=say)
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        (log,) = evaluate(
            task,
            model=model,
            log_dir=folder,
            display="none",
            max_samples=at_once,
            max_connections=at_once,
        )
        elapsed = time.perf_counter() - began
        size = sum(path.stat().st_size for path in Path(folder).rglob("*.eval"))
    if log.status != "success" or log.results is None:
        raise SystemExit(str(log.error))
    result = {
        "seconds": elapsed,
        "peak_megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "bytes": size,
        "passed": log.results.scores[0].metrics["accuracy"].value,
    }
    print(json.dumps(result))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4]))
