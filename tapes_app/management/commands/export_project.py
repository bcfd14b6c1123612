"""Write an entire project to one file."""

from pathlib import Path
from typing import Any

from tapes_app.engine.errors import ConflictError, InvalidInputError
from tapes_app.exchange.services.project_exports import write_project
from tapes_app.management.arguments import option
from tapes_app.management.command import Answer, StudioCommand
from tapes_app.projects.domain.wording import count_of
from tapes_app.projects.services.people import Person
from tapes_app.projects.store.operator_log import log_action


class Command(StudioCommand):
    help = (
        "Write all tapes of a project with their LLM calls, agents, datasets and annotations to "
        "one file (.zip), which import_project imports elsewhere. It contains no keys of models."
    )

    arguments = (option("file", metavar="FILE", type=Path, help="file to write"),)

    def work(self, person: Person, options: dict[str, Any]) -> Answer:
        path: Path = options["file"]
        if path.exists() or path.is_symlink():
            raise ConflictError(f"{str(path)!r} already exists; choose another name.")
        part = path.with_name(f"{path.name}.part")
        try:
            tapes, files = write_project(person.project_id, part, lambda _, __: None)
            part.replace(path)
        except OSError as error:
            raise InvalidInputError(
                f"{str(path)!r} cannot be written: {error.strerror}."
            ) from error
        finally:
            part.unlink(missing_ok=True)
        exported = f"{count_of(tapes, 'tape')} exported"
        log_action(person.user_id, f"project {person.project}", f"Exported, {exported}.")
        summary = f"{path}: {exported} in {count_of(files, 'file')}."
        return Answer(summary, {"file": str(path), "tapes": tapes, "files": files})
