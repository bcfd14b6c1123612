"""A person's own modules: loaded once, and a broken one does not stop the others."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tapes_app.agents.services import plugins
from tapes_app.agents.services.plugins import (
    list_plugin_modules,
    list_plugin_problems,
    load_plugins,
)
from tests.studio.running_studio import ROOT, studio_environment


@pytest.fixture
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder from which modules can be imported; what they leave is removed."""
    monkeypatch.syspath_prepend(tmp_path)
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        if name.startswith("studio_test_plugin"):
            del sys.modules[name]


def test_what_ships_is_loaded_before_a_persons_modules(settings: Any) -> None:
    settings.STUDIO_PLUGINS = ("studio_test_plugin_a",)

    assert list_plugin_modules()[:6] == [
        "tapes_app.builders",
        "tapes_app.environments.browser",
        "tapes_app.environments.code",
        "tapes_app.environments.search.environment",
        "tapes_app.gallery",
        "studio_test_plugin_a",
    ]


def test_modules_of_the_settings_are_loaded_once(modules: Path, settings: Any) -> None:
    count = modules / "count"
    (modules / "studio_test_plugin_a.py").write_text(
        f"with open({str(count)!r}, 'a') as file:\n    file.write('x')\n"
    )
    settings.STUDIO_PLUGINS = ("studio_test_plugin_a",)

    load_plugins()
    load_plugins()

    assert count.read_text() == "x"


def test_a_broken_module_is_named_and_the_others_work(modules: Path, settings: Any) -> None:
    (modules / "studio_test_plugin_b.py").write_text("raise RuntimeError('out of order')\n")
    (modules / "studio_test_plugin_c.py").write_text("")
    settings.STUDIO_PLUGINS = ("studio_test_plugin_b", "studio_test_plugin_c")

    load_plugins()

    assert list_plugin_problems()["studio_test_plugin_b"] == "RuntimeError: out of order"
    assert "studio_test_plugin_c" in sys.modules


def test_an_installed_package_is_found_by_its_entry_point(
    modules: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (modules / "studio_test_plugin_d.py").write_text("")
    described = modules / "studio_test_plugin_d-1.0.dist-info"
    described.mkdir()
    (described / "METADATA").write_text("Metadata-Version: 2.1\nName: d\nVersion: 1.0\n")
    (described / "entry_points.txt").write_text(f"[{plugins.GROUP}]\nd = studio_test_plugin_d\n")

    load_plugins()

    assert "studio_test_plugin_d" in sys.modules


def test_a_module_that_ends_its_program_ends_no_process_of_the_studio(
    modules: Path, settings: Any
) -> None:
    (modules / "studio_test_plugin_e.py").write_text("import sys\n\nsys.exit(3)\n")
    settings.STUDIO_PLUGINS = ("studio_test_plugin_e",)

    load_plugins()

    assert list_plugin_problems()["studio_test_plugin_e"] == "SystemExit: 3"


def test_a_process_has_the_shipped_agents_and_those_of_the_settings_from_its_start(
    modules: Path, tmp_path: Path
) -> None:
    (modules / "studio_test_plugin_f.py").write_text("raise RuntimeError('out of order')\n")
    (modules / "studio_test_plugin_g.py").write_text(
        "from tapes_app.engine import scripts\nscripts.add('studio_test_g', print)\n"
    )
    program = (
        "import django; django.setup()\n"
        "from tapes_app.engine import gallery_agents, scripts\n"
        "print({'chat', 'analyst'} <= set(gallery_agents), 'studio_test_g' in scripts)"
    )

    outcome = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env=studio_environment(
            PYTHONPATH=str(modules),
            STUDIO_PLUGINS="studio_test_plugin_f,studio_test_plugin_g",
            STUDIO_DATA_DIR=str(tmp_path / "data"),
        ),
        capture_output=True,
        text=True,
        check=False,
    )

    assert outcome.stdout == "True True\n", outcome.stderr
    assert "out of order" in outcome.stderr
