"""`python -m optimize_app.finetune.trainer.write_texts BASE FILE`: examples as text with spans.

Writes a line of JSON for the base, `{"problem": …}`, then one for each example of the file:
`{"text": example, "loses_thoughts": …}` or, if it cannot be formatted, `{"left_out": why}`, the
reason being said of any example. It is a separate process for the same reason as `write_tokens`.
Nothing is fetched from the network.
"""

import json
import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

from optimize_app.finetune.trainer.rendering import Rendering, render_chat
from optimize_app.finetune.trainer.token_view import cut_ids
from optimize_app.finetune.trainer.turn_ends import load_tokenizer
from optimize_app.training_sets.samples import (
    ChatExample,
    PreferencePair,
    Sample,
    SampleError,
    Sequence,
    Span,
    TextExample,
    TokenExample,
    name_any,
    read_sample,
)


def write_text(sample: Sample, tokenizer: Any) -> dict[str, Any]:
    """Return the record of an example: its text as a model learns it, with the learnt spans.

    Raises:
        SampleError: the chat template cannot format it.
    """
    if isinstance(sample, PreferencePair):
        chosen, rejected = _write(sample.chosen, tokenizer), _write(sample.rejected, tokenizer)
        update = {"chosen": chosen.example, "rejected": rejected.example}
        loses_thoughts = chosen.loses_thoughts or rejected.loses_thoughts
        return _record(sample.model_copy(update=update), loses_thoughts=loses_thoughts)
    written = _write(sample, tokenizer)
    return _record(written.example, loses_thoughts=written.loses_thoughts)


def _record(text: Sample, *, loses_thoughts: bool) -> dict[str, Any]:
    return {"text": text.model_dump(mode="json"), "loses_thoughts": loses_thoughts}


def _write(sequence: Sequence, tokenizer: Any) -> Rendering:
    match sequence:
        case ChatExample():
            return render_chat(tokenizer, sequence)
        case TokenExample():
            return Rendering(_read(sequence, tokenizer), loses_thoughts=False)
        case _:
            return Rendering(sequence, loses_thoughts=False)


def _read(example: TokenExample, tokenizer: Any) -> TextExample:
    """Return recorded tokens as text; a span ends where the weight changes."""
    text, spans = "", []
    pieces = cut_ids(example.token_ids, example.weights, tokenizer)
    for weight, group in groupby(pieces, key=lambda piece: piece.weight):
        start = len(text)
        text += "".join(piece.text for piece in group)
        if weight and len(text) > start:
            spans.append(Span(start=start, end=len(text), weight=weight))
    return TextExample(id=example.id, origin=example.origin, text=text, spans=tuple(spans))


def list_lines(base: str, file: Path) -> Iterator[dict[str, Any]]:
    """Yield the records that the program writes."""
    try:
        tokenizer = load_tokenizer(base, is_offline=True)
    except Exception as error:  # noqa: BLE001 - whatever is wrong with a folder, a sentence says it
        sentences = (line.strip(" :") for line in str(error).splitlines())
        yield {"problem": next(filter(None, sentences), type(error).__name__)}
        return
    yield {"problem": ""}
    with file.open("rb") as lines:
        for line in lines:
            sample = read_sample(line)
            try:
                yield write_text(sample, tokenizer)
            except SampleError as error:
                yield {"left_out": name_any(error.message, sample)}


def main() -> int:
    base, file = sys.argv[1:]
    for line in list_lines(base, Path(file)):
        sys.stdout.write(json.dumps(line, ensure_ascii=False) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
