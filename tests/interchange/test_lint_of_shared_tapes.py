"""The linter on real tapes: one of them stopped before an answer, the rest are sound."""

from pathlib import Path

from tapes_app.interchange.tape_codec import ImportedTape
from tapes_app.interchange.tapeagents import read_file
from tapes_app.lint.domain.linter import lint_tape
from tests.recordings import RECORDINGS, SHARED


def test_real_tapes_have_no_false_alarm() -> None:
    for recordings in RECORDINGS:
        stopped_at = 8 if recordings == SHARED else 5
        assert find_all(recordings) == {("failed_tape.json", "unfulfilled_action", stopped_at)}


def find_all(folder: Path) -> set[tuple[str, str, int]]:
    """Return file, detector and position of everything that the linter finds."""
    files = [
        *sorted(folder.glob("*/*tape*.json")),
        *sorted(folder.glob("*/tapes/*.json")),
        *sorted(folder.glob("*/*tapes*.yaml")),
        *sorted(folder.glob("workarena/*.json")),
    ]
    assert len(files) >= 14
    return {
        (path.name, finding.detector, finding.position)
        for path in files
        for item in read_file(path, name=path.name)
        if isinstance(item, ImportedTape)
        for finding in lint_tape(item.tape)
    }
