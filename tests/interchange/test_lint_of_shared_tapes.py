"""The linter on real tapes: one of them stopped before an answer, the rest are sound."""

from __future__ import annotations

from pathlib import Path

from tapes_app.engine.lint.linter import lint_tape
from tapes_app.interchange.tape_codec import ImportedTape
from tapes_app.interchange.tapeagents import read_file


def test_real_tapes_have_no_false_alarm(shared_data: Path) -> None:
    folder = shared_data / "tapeagents"
    files = [
        *sorted(folder.glob("*/*tape*.json")),
        *sorted(folder.glob("*/tapes/*.json")),
        *sorted(folder.glob("*/*tapes*.yaml")),
        *sorted(folder.glob("workarena/*.json")),
    ]

    found = {
        (path.name, finding.detector, finding.position)
        for path in files
        for item in read_file(path, name=path.name)
        if isinstance(item, ImportedTape)
        for finding in lint_tape(item.tape)
    }

    assert len(files) >= 14
    assert found == {("failed_tape.json", "unfulfilled_action", 8)}
