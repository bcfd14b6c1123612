"""Environment variables: names, bounds, and what is kept from others."""

import subprocess
import sys
from pathlib import Path

import pytest

from studio.env import SettingError, StudioEnvironment, read_variable, variable_names
from tests.studio.running_studio import ROOT, studio_environment


def test_a_misspelt_name_stops_the_start_and_names_the_nearest(tmp_path: Path) -> None:
    outcome = subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=ROOT,
        env=studio_environment(STUDIO_DATA_DIR=str(tmp_path), STUDIO_PROT="9000"),
        capture_output=True,
        text=True,
        check=False,
    )

    assert outcome.returncode == 2
    assert outcome.stderr == (
        "Unknown setting 'STUDIO_PROT'; did you mean 'STUDIO_PORT'? Fix or unset STUDIO_PROT.\n"
    )


def test_nothing_set_means_loopback_one_person_and_no_debugging() -> None:
    environment = StudioEnvironment.from_variables({})

    assert environment.host == "127.0.0.1"
    assert not environment.accounts
    assert not environment.debug


def test_a_variable_set_to_nothing_counts_as_not_set() -> None:
    assert StudioEnvironment.from_variables(dict.fromkeys(variable_names(), "")) == (
        StudioEnvironment.from_variables({})
    )


def test_lists_are_separated_by_commas() -> None:
    environment = StudioEnvironment.from_variables({"STUDIO_PLUGINS": "mine.agents, mine.tools"})

    assert environment.plugins == ("mine.agents", "mine.tools")


def test_a_value_out_of_bounds_is_refused_by_name_without_repeating_it() -> None:
    with pytest.raises(SettingError) as refusal:
        StudioEnvironment.from_variables({"STUDIO_SECRET_KEY": "too-short-to-be-safe"})

    assert "STUDIO_SECRET_KEY" in refusal.value.message
    assert "too-short-to-be-safe" not in refusal.value.message


def test_variables_for_model_keys_are_read_but_never_the_studios_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ACME_API_KEY", "acme-123")
    monkeypatch.setenv("DATABASE_URL", "postgresql://u:p@h/n")

    assert read_variable("ACME_API_KEY") == "acme-123"
    assert read_variable("DATABASE_URL") is None
    assert read_variable("STUDIO_SECRET_KEY") is None
    assert read_variable("NOT_SET_ANYWHERE") is None
