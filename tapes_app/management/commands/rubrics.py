"""List and show rubrics, make them and new versions of them from files."""

from pathlib import Path
from typing import Any

from tapes_app.annotation.rubric import Rubric
from tapes_app.annotation.services import rubrics
from tapes_app.annotation.store import rubrics as rubrics_store
from tapes_app.annotation.store.rubrics import RubricRow
from tapes_app.management.actions import ActionCommand
from tapes_app.management.command_line import Answer, read_file
from tapes_app.projects.services.people import Person
from tapes_app.projects.wording import count_of


class Command(ActionCommand):
    help = (
        "List and show rubrics, and create or update them from JSON files. `rubrics show NAME "
        "--json` prints a file that `rubrics save` accepts."
    )

    def add_actions(self) -> None:
        self.add_action("list", self._list, "list the rubrics of the project")
        self.add_action("presets", self._presets, "list the bundled rubrics")
        showing = self.add_action("show", self._show, "show the questions of a rubric or a preset")
        showing.add_argument("name", metavar="NAME")
        saving = self.add_action("save", self._save, "create a rubric, or a new version of it")
        saving.add_argument("name", metavar="NAME")
        saving.add_argument(
            "file", metavar="FILE", type=Path, help="JSON file with items and a score"
        )
        deleting = self.add_action("delete", self._delete, "delete a rubric that no queue uses")
        deleting.add_argument("name", metavar="NAME")

    def _list(self, person: Person, options: dict[str, Any]) -> Answer:
        found = rubrics_store.list_rubrics(person.project_id)
        for row in found:
            self.tell(f"{row.name}  version {row.version}, {_count(row.rubric)}")
        return Answer(f"{count_of(len(found), 'rubric')}.", {"rubrics": list(map(_values, found))})

    def _presets(self, person: Person, options: dict[str, Any]) -> Answer:
        found = rubrics.list_presets()
        for one in found:
            self.tell(f"{one.name}  {_count(one.rubric)}")
        values = [{"name": one.name, "rubric": _define(one.rubric)} for one in found]
        return Answer(f"{count_of(len(found), 'preset')}.", {"presets": values})

    def _show(self, person: Person, options: dict[str, Any]) -> Answer:
        name = options["name"]
        shown = rubrics.find_rubric_or_preset(person, name)
        for item in shown.rubric.items:
            self.tell(f"{item.key}: {item.question} ({item.kind})")
        version = f", version {shown.version}" if isinstance(shown, RubricRow) else ", a preset"
        values = {"name": shown.name, "rubric": _define(shown.rubric)}
        if isinstance(shown, RubricRow):
            values = _values(shown)
        return Answer(f"{shown.name!r}{version}, score: {shown.rubric.score.rule}.", values)

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


def _define(rubric: Rubric) -> dict[str, Any]:
    return rubric.model_dump(mode="json")


def _values(row: RubricRow) -> dict[str, Any]:
    return {
        "id": str(row.id),
        "name": row.name,
        "version": row.version,
        "rubric": _define(row.rubric),
    }
