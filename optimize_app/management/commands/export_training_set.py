"""Write a training set as a file for another trainer."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, get_args

from optimize_app.finetune.services.text_exports import TextLines
from optimize_app.training_sets.services.set_exports import iterate_lines, list_formats
from optimize_app.training_sets.set_formats import SetFormat
from optimize_app.training_sets.store.sets import find_set
from tapes_app.engine.errors import InvalidInputError, StudioError
from tapes_app.management.arguments import NAME, option
from tapes_app.management.command import Answer, StudioCommand
from tapes_app.projects.domain.wording import count_of
from tapes_app.projects.services.people import Person


class Command(StudioCommand):
    help = (
        "Write the examples of a training set as JSON lines: as they are, as prompts with "
        "completions (trl), as chats (openai), or as text with the spans that are learnt, which "
        "the chat template of a base writes (text). Prints what a format cannot hold."
    )

    arguments = (
        NAME,
        option("--format", choices=(*get_args(SetFormat), "text"), default="examples"),
        option("--base", metavar="NAME", help="for --format text: base model to be trained"),
        option("--side", choices=("train", "held_out"), default="train"),
        option("--out", metavar="FILE", type=Path, required=True),
    )

    def work(self, person: Person, options: dict[str, Any]) -> Answer:
        row = find_set(options["name"], person.project_id)
        out: Path = options["out"]
        if (options["format"] == "text") != bool(options["base"]):
            raise InvalidInputError("Give --base with --format text, and with no other format.")
        if options["format"] == "text":
            texts = TextLines(person, row, options["base"], options["side"])
            return self._answer(out, _write(out, texts), texts.lost)
        count = _write(out, iterate_lines(row, options["format"], options["side"]))
        (chosen,) = (one for one in list_formats(person, row.id) if one.format == options["format"])
        return self._answer(out, count, {part.what: part.count for part in chosen.lost})

    def _answer(self, out: Path, count: int, lost: Mapping[str, int]) -> Answer:
        for what, number in lost.items():
            self.print_line(f"{number}: {what}")
        return Answer(
            f"{count_of(count, 'example')} written to {str(out)!r}.",
            {"examples": count, "lost": dict(lost)},
        )


def _write(out: Path, lines: Iterable[str]) -> int:
    """Write lines into a file and return how many; if that fails, the file is removed."""
    count = 0
    try:
        with out.open("w", encoding="utf-8", newline="\n") as file:
            for line in lines:
                file.write(line)
                count += 1
    except StudioError:
        out.unlink(missing_ok=True)
        raise
    return count
