"""Which file a tape is exported to: an imported tape goes back into its original file."""

from pathlib import PurePosixPath
from typing import NamedTuple
from uuid import UUID

from tapes_app.interchange.folders import clean_name
from tapes_app.interchange.tape_codec import SourceForm, TapeSource

DATABASE_NAME = "tapedata.sqlite"
_ENDINGS: dict[SourceForm, tuple[str, ...]] = {
    "json": (".json",),
    "json_list": (".json",),
    "yaml": (".yaml", ".yml"),
    "tapedata": (".sqlite", ".sqlite3", ".db"),
    "chat": (".jsonl", ".json"),
    "inspect": (".eval",),
}
_TITLE_LENGTH = 60


class WantedFile(NamedTuple):
    """A file that a tape should be in, under a name that may be taken."""

    name: str
    form: SourceForm
    is_shared: bool
    """Other tapes of its source go into it too."""


def choose_file(tape_id: UUID, title: str, source: TapeSource | None) -> WantedFile:
    """Return the file for a tape; `source` describes the file it was imported from, if any."""
    if source is None:
        return WantedFile(_own_name(tape_id, title), "json", is_shared=False)
    # Two tapes that each had a separate file stay separate, whatever their files were called.
    name = source_name(source.file, source.form)
    return WantedFile(name, source.form, is_shared=source.form != "json")


def source_name(file: str, form: SourceForm) -> str:
    """Return the name of an imported file, cleaned, uncompressed and with a fitting extension."""
    name = clean_name(file)
    if name.lower().endswith(".gz"):
        name = name[:-3]
    endings = _ENDINGS[form]
    return name if name.lower().endswith(endings) else f"{name or 'tape'}{endings[0]}"


class FileNames:
    """The names in an export: all distinct, even ignoring case."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}

    def take(self, name: str) -> str:
        """Return `name`, or its first numbered variant that is not taken."""
        path, count = PurePosixPath(name), self._counts.get(name.lower(), 0)
        free = name
        while free.lower() in self._counts:
            # A thousand files of one name continue counting instead of starting over each time.
            count += 1
            free = str(path.with_name(f"{path.stem}-{count + 1}{path.suffix}"))
        self._counts[name.lower()] = count
        self._counts.setdefault(free.lower(), 0)
        return free


def _own_name(tape_id: UUID, title: str) -> str:
    words = clean_name(title.replace("/", " ").replace("\\", " "))[:_TITLE_LENGTH].strip(" .")
    return f"{words or 'tape'} {tape_id.hex[:8]}.json"
