"""List and show rubrics, and create or update them from files."""

from pathlib import Path
from typing import Any

from tapes_app.annotation.domain.rubric import Rubric
from tapes_app.annotation.services import rubrics
from tapes_app.annotation.services.rubrics import Preset
from tapes_app.annotation.store import rubrics as rubrics_store
from tapes_app.annotation.store.rubrics import RubricRow
from tapes_app.management.arguments import NAME, option, read_file
from tapes_app.management.command import ActionCommand, Answer
from tapes_app.projects.domain.wording import count_of
from tapes_app.projects.services.people import Person


class Command(ActionCommand):
    help = (
        "List and show rubrics, and create or update them from JSON files. `rubrics show NAME "
        "--json` prints a file that `rubrics save` accepts."
    )

    def add_actions(self) -> None:
        self.add_action("list", self._list, "list the rubrics of the project")
        self.add_action("presets", self._presets, "list the bundled rubrics")
        self.add_action("show", self._show, "show the questions of a rubric or a preset", NAME)
        file = option("file", metavar="FILE", type=Path, help="JSON file with items and a score")
        self.add_action("save", self._save, "create a rubric, or a new version of it", NAME, file)
        self.add_action("delete", self._delete, "delete a rubric that no queue uses", NAME)

    def _list(self, person: Person, options: dict[str, Any]) -> Answer:
        found = rubrics_store.list_rubrics(person.project_id)
        return self.print_rows(found, "rubric", _show_row, _values)

    def _presets(self, person: Person, options: dict[str, Any]) -> Answer:
        return self.print_rows(rubrics.list_presets(), "preset", _show_preset, _preset_values)

    def _show(self, person: Person, options: dict[str, Any]) -> Answer:
        shown = rubrics.find_rubric_or_preset(person, options["name"])
        for item in shown.rubric.items:
            self.print_line(f"{item.key}: {item.question} ({item.kind})")
        if isinstance(shown, RubricRow):
            version, values = f"version {shown.version}", _values(shown)
        else:
            version, values = "a preset", _preset_values(shown)
        return Answer(f"{shown.name!r}, {version}, score: {shown.rubric.score.rule}.", values)

    def _save(self, person: Person, options: dict[str, Any]) -> Answer:
        text = read_file(options["file"])
        saved = rubrics.save_rubric(person, options["name"], rubrics.read_rubric(text))
        return Answer(f"Rubric {saved.name!r} saved as version {saved.version}.", _values(saved))

    def _delete(self, person: Person, options: dict[str, Any]) -> Answer:
        found = rubrics.find_rubric(person, options["name"])
        rubrics_store.delete_rubric(found.id, person.project_id)
        return Answer(f"Rubric {found.name!r} deleted.", _values(found))


def _count(rubric: Rubric) -> str:
    return count_of(len(rubric.items), "question")


def _show_row(row: RubricRow) -> str:
    return f"{row.name}  version {row.version}, {_count(row.rubric)}"


def _show_preset(preset: Preset) -> str:
    return f"{preset.name}  {_count(preset.rubric)}"


def _preset_values(preset: Preset | RubricRow) -> dict[str, Any]:
    return {"name": preset.name, "rubric": preset.rubric.model_dump(mode="json")}


def _values(row: RubricRow) -> dict[str, Any]:
    return {"id": str(row.id), "version": row.version, **_preset_values(row)}
