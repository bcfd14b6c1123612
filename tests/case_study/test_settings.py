"""The settings of a study: which base they name, and which folders they go on in."""

from pathlib import Path

import pytest

from optimize_app.case_study.settings import StudySettings
from optimize_app.case_study.study_folder import StudyFolder
from tapes_app.engine.errors import ConflictError


def test_each_shape_of_the_tiny_base_has_a_name_of_its_own() -> None:
    assert StudySettings().base.name == "tiny-base-far"
    assert StudySettings(base_steps=4500).base.name == "tiny-base-far-4500"
    wide = StudySettings(base_steps=1200, base_width=256, base_layers=6).base
    assert (wide.name, wide.width, wide.layers) == ("tiny-base-far-1200-w256-l6", 256, 6)


def test_a_study_older_than_a_setting_goes_on_with_its_default(tmp_path: Path) -> None:
    settings = StudySettings(seed=3)
    StudyFolder(tmp_path, settings)
    older = settings.model_dump(mode="json", exclude={"at_once", "base_width"})
    StudyFolder(tmp_path, settings).write("settings", older)

    assert StudyFolder(tmp_path, settings).read("settings") == older
    with pytest.raises(ConflictError, match=r"other settings \(base_width\)"):
        StudyFolder(tmp_path, settings.model_copy(update={"base_width": 64}))
