"""The sample tapes are sound, and the linter raises no false alarm on them."""

import pytest

from tapes_app.agents.services.sample_project import load_sample
from tapes_app.lint.services.linting import Linter
from tapes_app.projects.store.projects import ensure_default_project

pytestmark = pytest.mark.django_db


def test_the_linter_finds_nothing_on_the_sample_tapes() -> None:
    report = load_sample()
    linter = Linter(ensure_default_project().id)

    assert [linter.lint(tape_id).findings for tape_id in report.tape_ids] == [[]] * 7
