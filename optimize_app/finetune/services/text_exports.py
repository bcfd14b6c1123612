"""Training sets as text with spans, formatted by the chat template of a base model."""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from tempfile import TemporaryFile
from typing import Any
from uuid import UUID

from optimize_app.base_models import require_tokenizer
from optimize_app.finetune.services.tokens import TokensError
from optimize_app.programs import ROOT
from optimize_app.training_sets.splitting import Side
from optimize_app.training_sets.store.example_index import FILES
from optimize_app.training_sets.store.sets import TrainingSetRow, load_set, open_folder
from tapes_app.engine.errors import InvalidInputError
from tapes_app.interchange.chat_lines import dump_line
from tapes_app.interchange.folders import clean_name
from tapes_app.projects.services.downloads import Download, write_download
from tapes_app.projects.services.people import Person

_PROGRAM = "optimize_app.finetune.trainer.write_texts"
_THOUGHTS = "Thoughts before an answer: the chat template has no place for them."


class TextLines:
    """The lines of a file, made as they are read; then `count` and `lost` are complete."""

    def __init__(self, person: Person, row: TrainingSetRow, base: str, side: Side) -> None:
        """Find the base.

        Raises:
            InvalidInputError: there is no such base here.
        """
        self.count = 0
        self.lost: Counter[str] = Counter()
        """What the chat template cannot format, and of how many examples."""
        self._base = base
        self._folder = require_tokenizer(base, person.project_id)
        self._file = open_folder(row.content_hash) / FILES[side]

    def __iter__(self) -> Iterator[str]:
        """Yield the lines.

        Raises:
            InvalidInputError: the base's tokenizer cannot be loaded, or no example can be
                formatted.
            TokensError: the formatting program ended without an answer.
        """
        for line in self._run():
            if problem := line.get("problem"):
                raise InvalidInputError(
                    f"{self._base} has no tokenizer that can be loaded: {problem}", base=self._base
                )
            if why := line.get("left_out"):
                self.lost[why] += 1
            elif text := line.get("text"):
                self.count += 1
                self.lost.update([_THOUGHTS] if line["loses_thoughts"] else [])
                yield dump_line(text)
        if self.lost and not self.count:
            ((why, _),) = self.lost.most_common(1)
            raise InvalidInputError(f"No example can be written for {self._base}. {why}")

    def _run(self) -> Iterator[dict[str, Any]]:
        """Run the trainer's own code for this, in a process that ends with its last line."""
        command = [sys.executable, "-m", _PROGRAM, str(self._folder), str(self._file)]
        with (
            TemporaryFile() as errors,
            subprocess.Popen(  # noqa: S603 - our own program
                command, cwd=ROOT, stdout=subprocess.PIPE, stderr=errors, stdin=subprocess.DEVNULL
            ) as program,
        ):
            assert program.stdout is not None
            try:
                yield from map(json.loads, program.stdout)
            except BaseException:
                program.kill()
                raise
            if program.wait():
                errors.seek(0)
                words = errors.read().decode(errors="replace").strip().splitlines()
                raise TokensError(
                    f"The texts could not be written: {words[-1] if words else 'killed'}"
                )


def export_texts(person: Person, set_id: UUID, base: str, side: Side) -> Download:
    """Return the examples of one side as text with spans, one per line, as the trainer reads them.

    Raises:
        NotFoundError: no such set in the project.
        InvalidInputError: there is no such base here, or it can format none of the examples.
    """
    row = load_set(set_id, person.project_id)
    lines = TextLines(person, row, base, side)
    names = (clean_name(name).replace("/", " ") for name in (row.name, base))
    name = "-".join([*(one or "set" for one in names), side])
    return write_download(name, ".text.jsonl", "application/jsonl", lines)
