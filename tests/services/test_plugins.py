"""A person's own modules: loaded once, and a broken one does not stop the others."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tapes_app.engine.registry import gallery_agents
from tapes_app.services import plugins
from tapes_app.services.plugins import list_plugin_problems, load_plugins


@pytest.fixture
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder from which modules can be imported; what they leave is removed."""
    monkeypatch.syspath_prepend(tmp_path)
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        if name.startswith("studio_test_plugin"):
            del sys.modules[name]


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
    plugins._loaded.discard(plugins.GROUP)

    load_plugins()

    assert "studio_test_plugin_d" in sys.modules


def test_the_shipped_agents_are_there_after_loading() -> None:
    load_plugins()

    assert {"chat", "analyst"} <= set(gallery_agents)
