"""Import an exported project."""

from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from tapes_app.exchange.services.project_imports import ProjectImport, import_project
from tapes_app.interchange.project_file import open_project_file
from tapes_app.management.arguments import option
from tapes_app.management.command import Answer, StudioCommand
from tapes_app.management.named import find_operator
from tapes_app.projects.domain.wording import count_of
from tapes_app.projects.services.people import Person
from tapes_app.projects.services.projects import make_project


class Command(StudioCommand):
    help = (
        "Import a file that export_project wrote: as a new project of the same name, or into the "
        "one that --project names."
    )

    arguments = (
        option("file", metavar="FILE", type=Path),
        option("--name", metavar="NAME", default="", help="name of the new project"),
    )

    def work(self, person: Person, options: dict[str, Any]) -> Answer:
        with open_project_file(options["file"]) as file:
            if not options["project"]:
                made = make_project(person, options["name"] or file.manifest.name)
                person = replace(person, project_id=made.id, project=made.name, role=made.role)
            done = import_project(find_operator(person.project), file)
        for problem in done.problems:
            self.print_line(f"rejected: {problem}")
        values = {"project": person.project, **asdict(done)}
        return Answer(_summarize(person.project, done), values, is_done=not done.problems)


def _summarize(project: str, done: ProjectImport) -> str:
    parts = [
        count_of(done.tapes, "tape"),
        count_of(done.llm_calls, "LLM call"),
        count_of(done.agent_versions, "agent version"),
        count_of(done.annotations, "annotation"),
        count_of(done.datasets, "dataset"),
        count_of(done.queues, "queue"),
    ]
    there = f"; {count_of(done.already_there, 'tape')} were there" if done.already_there else ""
    return f"{project}: {', '.join(parts)} imported{there}."
