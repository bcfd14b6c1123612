"""`python -m optimize_app.finetune.trainer.write_tokens`: examples as tokens of a base model.

Reads `{"bases": [folder or hub name …], "samples": [example …]}` from its input and writes for each
base its template's properties and the examples as tokens. It is a separate process because a
tokenizer must be loaded as the trainer loads it, by `AutoTokenizer`, which imports torch: this
takes some seconds and 240 MB that a web process would then hold. Nothing is fetched from the
network.
"""

import json
import sys
from dataclasses import asdict
from typing import Any

from pydantic import TypeAdapter

from optimize_app.finetune.trainer.rendering import examine_template
from optimize_app.finetune.trainer.token_view import view_sample
from optimize_app.finetune.trainer.turn_ends import load_tokenizer
from optimize_app.training_sets.samples import Sample, SampleError

_SAMPLES: TypeAdapter[list[Sample]] = TypeAdapter(list[Sample])


def write_base(base: str, samples: list[Sample]) -> dict[str, Any]:
    """Return what is known about a base's template, and the examples as its tokens."""
    try:
        tokenizer = load_tokenizer(base, is_offline=True)
    except Exception as error:  # noqa: BLE001 - whatever is wrong with a folder, a sentence says it
        sentences = (line.strip(" :") for line in str(error).splitlines())
        problem = next(filter(None, sentences), type(error).__name__)
        return {"problem": problem, "template": None, "examples": []}
    try:
        template: dict[str, bool] | None = asdict(examine_template(tokenizer))
        problem = ""
    except SampleError as error:
        template, problem = None, error.message
    except Exception as error:  # noqa: BLE001 - a template is somebody's program
        template, problem = None, f"Its chat template cannot write a chat: {error}"
    return {
        "problem": "",
        "template": template,
        "template_problem": problem,
        "examples": [_write_example(sample, tokenizer) for sample in samples],
    }


def _write_example(sample: Sample, tokenizer: Any) -> dict[str, Any]:
    try:
        return {"problem": "", "sequences": [asdict(one) for one in view_sample(sample, tokenizer)]}
    except SampleError as error:
        return {"problem": error.message, "sequences": []}


def main() -> int:
    asked = json.load(sys.stdin)
    samples = _SAMPLES.validate_python(asked["samples"])
    written = {"bases": [write_base(base, samples) for base in asked["bases"]]}
    json.dump(written, sys.stdout, separators=(",", ":"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
