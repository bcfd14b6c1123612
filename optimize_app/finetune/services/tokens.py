"""Examples as the tokens of a base model, and what is known about the bases' chat templates."""

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

from optimize_app.base_models import models_folder, require_tokenizer
from optimize_app.finetune.store import token_files
from optimize_app.finetune.trainer.token_sequences import Template, TokenPiece, TokenSequence
from optimize_app.programs import ROOT
from optimize_app.training_sets.store.example_index import load_neighbors
from optimize_app.training_sets.store.sets import load_set
from tapes_app.engine.errors import InvalidInputError, StudioError
from tapes_app.projects.services.people import Person

_PROGRAM = "optimize_app.finetune.trainer.write_tokens"
_LOT = 20
"""How many examples are tokenized together, so that the next one is ready already."""
_MOST_CHARACTERS = 400_000
_PATIENCE_SECONDS = 120.0


class TokensError(StudioError):
    """The tokenizing program ended without an answer."""

    code = "tokens"
    status = 500


@dataclass(frozen=True, slots=True)
class ExampleTokens:
    """An example as a base model reads it."""

    base: str
    problem: str
    """Why it cannot be trained on; empty if it can."""

    sequences: list[TokenSequence]
    template: Template | None
    template_problem: str
    """Why no chat can be formatted for the base; empty if it can."""

    context_length: int | None
    """Number of tokens that the base was made for; `None` if its config does not state it."""


@dataclass(frozen=True, slots=True)
class BaseTemplate:
    """A base model's chat template."""

    base: str
    template: Template | None
    problem: str


def load_tokens(person: Person, set_id: UUID, example_id: str, base: str) -> ExampleTokens:
    """Return an example of a training set as tokens of a base.

    Raises:
        NotFoundError: no such set in the project, or no such example in it.
        InvalidInputError: there is no such base here, or its tokenizer cannot be loaded.
    """
    content_hash = load_set(set_id, person.project_id).content_hash
    place, lines = load_neighbors(
        content_hash, example_id, count=_LOT, most_characters=_MOST_CHARACTERS
    )
    folder = require_tokenizer(base, person.project_id)
    key = token_files.key_of(folder, *lines)
    written = _load_or_write([(folder, key)], lines)[0]
    _check(base, written)
    example = written["examples"][place]
    return ExampleTokens(
        base=base,
        problem=example["problem"],
        sequences=[_read_sequence(one) for one in example["sequences"]],
        template=_read_template(written),
        template_problem=written["template_problem"],
        context_length=_read_context_length(folder),
    )


def list_templates(names: Sequence[str]) -> list[BaseTemplate]:
    """Return what is known about the chat templates of base models in the data folder."""
    folders = [models_folder() / name for name in names]
    wanted = [(folder, token_files.key_of(folder)) for folder in folders]
    return [
        BaseTemplate(
            name, _read_template(written), written["problem"] or written["template_problem"]
        )
        for name, written in zip(names, _load_or_write(wanted, ()), strict=True)
    ]


def _check(base: str, written: dict[str, Any]) -> None:
    if written["problem"]:
        raise InvalidInputError(
            f"{base} has no tokenizer that can be loaded: {written['problem']}", base=base
        )


def _load_or_write(wanted: Sequence[tuple[Path, str]], lines: Sequence[str]) -> list[Any]:
    """Return the examples' tokens for each base; what is not cached yet is computed in one go."""
    found = {key: token_files.load(key) for _, key in wanted}
    if any(value is None for value in found.values()):
        with token_files.one_at_a_time():
            # The previous holder of the lock may have written the same.
            found = {key: value or token_files.load(key) for key, value in found.items()}
            missing = [(folder, key) for folder, key in wanted if found[key] is None]
            answers = _run([folder for folder, _ in missing], lines) if missing else []
            for (_, key), answer in zip(missing, answers, strict=True):
                token_files.save(key, answer)
                found[key] = answer
    return [found[key] for _, key in wanted]


def _run(folders: Sequence[Path], lines: Sequence[str]) -> list[Any]:
    """Run the trainer's own code that writes tokens, in a process that ends with its answer."""
    asked = {"bases": [str(folder) for folder in folders], "samples": [*map(json.loads, lines)]}
    try:
        ended = subprocess.run(  # noqa: S603 - our own program
            [sys.executable, "-m", _PROGRAM],
            cwd=ROOT,
            input=json.dumps(asked).encode(),
            capture_output=True,
            check=False,
            timeout=_PATIENCE_SECONDS,
        )
    except subprocess.TimeoutExpired as error:
        raise TokensError(
            f"Writing the tokens took longer than {_PATIENCE_SECONDS:.0f} seconds. Try again "
            "when the machine has less to do."
        ) from error
    if ended.returncode:
        words = ended.stderr.decode(errors="replace").strip().splitlines()
        raise TokensError(f"The tokens could not be written: {words[-1] if words else 'killed'}")
    answers: list[Any] = json.loads(ended.stdout)["bases"]
    return answers


def _read_sequence(kept: dict[str, Any]) -> TokenSequence:
    pieces = (TokenPiece(one["text"], tuple(one["ids"]), one["weight"]) for one in kept["pieces"])
    return TokenSequence(**{**kept, "pieces": tuple(pieces)})


def _read_template(written: dict[str, Any]) -> Template | None:
    return Template(**written["template"]) if written["template"] else None


def _read_context_length(folder: Path) -> int | None:
    try:
        length = json.loads((folder / "config.json").read_bytes()).get("max_position_embeddings")
    except (OSError, ValueError, AttributeError):
        return None
    return length if isinstance(length, int) else None
