"""The sample project: one for the whole studio, of finished work that the product has made.

`deploy/sample_project.py` lets a studio do the work and keeps what came of it as the file that
ships. Opening it for the first time copies that file; removing the project is archiving it.
"""

import json
import zipfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from uuid import UUID

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import transaction

from tapes_app.artefacts.opening import share
from tapes_app.projects.domain.rows import ProjectRow
from tapes_app.projects.services.forgetting import list_folders
from tapes_app.projects.services.people import Person, list_projects, refuse_tokens
from tapes_app.projects.store import kept_rows, projects

SAMPLE_FILE = Path(__file__).resolve().parent.parent / "sample.zip"
SAMPLE_NAME = "Sample"
SAMPLE_ID = UUID("5a3b1e00-0000-4000-8000-000000000036")
"""The same in every studio, so that a second person finds the project of the first."""

_ROWS = "rows.jsonl"
_PEOPLE = "people.json"
_FILES = "files/"
_DATA = b"{STUDIO_DATA_DIR}"
"""Stands in the file for the data folder, which runs and adapters name."""


def open_sample(person: Person) -> ProjectRow:
    """Return the sample project with the person in it: copied, restored or joined as needed.

    Whoever opens it first owns it, anybody later is a member.

    Raises:
        NotAllowedError: the request came with a token.
    """
    refuse_tokens(person, "open the sample project")
    with transaction.atomic():
        is_new = projects.ensure_project(SAMPLE_ID, SAMPLE_NAME)
        if is_new:
            _copy(person.user_id)
        projects.change_project(SAMPLE_ID, is_archived=False)
        projects.ensure_member(SAMPLE_ID, person.user_id, "owner" if is_new else "member")
    if is_new:
        _copy_files()
    return next(one for one in list_projects(person) if one.id == SAMPLE_ID)


def keep_sample(
    project: UUID, path: Path, *, owner: str, more: Sequence[str], is_kept: Callable[[str], bool]
) -> None:
    """Write a project to the file that ships.

    `owner`: the person whose place is taken by whoever opens it. `more`: folders beside those of
    its jobs. `is_kept`: decides about each file by its path in the data folder.
    """
    lines = list(kept_rows.write_lines(project))
    users = get_user_model().objects.filter(id__in=kept_rows.list_people(lines))
    names = {user.pk: user.get_username() for user in users}
    people = {pk: "" if name == owner else name for pk, name in names.items()}
    root = Path(settings.STUDIO_DATA_DIR)
    found = [file for name in (*list_folders(project), *more) for file in (root / name).rglob("*")]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        here = str(root).encode()
        archive.writestr(_ROWS, "\n".join(lines).encode().replace(here, _DATA))
        archive.writestr(_PEOPLE, json.dumps(people))
        for file in sorted(found):
            name = file.relative_to(root).as_posix()
            if file.is_file() and is_kept(name):
                archive.writestr(f"{_FILES}{name}", file.read_bytes().replace(here, _DATA))


def _copy(owner: int) -> None:
    with zipfile.ZipFile(SAMPLE_FILE) as archive:
        names: dict[str, str] = json.loads(archive.read(_PEOPLE))
        people = {int(pk): _find_user(name) if name else owner for pk, name in names.items()}
        kept_rows.insert_lines(_read(archive, _ROWS).decode().splitlines(), SAMPLE_ID, people)


def _find_user(name: str) -> int:
    """Return a person of the sample, who can never sign in."""
    users = get_user_model().objects
    user, is_new = users.get_or_create(username=name, defaults={"is_active": False})
    if is_new:
        user.set_unusable_password()
        user.save(update_fields=["password"])
    return int(user.pk)


def _copy_files() -> None:
    with zipfile.ZipFile(SAMPLE_FILE) as archive:
        for name in archive.namelist():
            if name.startswith(_FILES):
                target = Path(settings.STUDIO_DATA_DIR) / name.removeprefix(_FILES)
                target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                target.write_bytes(_read(archive, name))
        for folder in sorted(_list_folders(archive)):
            share(folder)


def _read(archive: zipfile.ZipFile, name: str) -> bytes:
    return archive.read(name).replace(_DATA, str(settings.STUDIO_DATA_DIR).encode())


def _list_folders(archive: zipfile.ZipFile) -> Iterator[str]:
    files = (name.removeprefix(_FILES) for name in archive.namelist() if name.startswith(_FILES))
    yield from {"/".join(name.split("/")[:2]) for name in files}
