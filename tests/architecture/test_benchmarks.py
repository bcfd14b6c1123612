"""Benchmarks run rarely, but what they import from the project must exist all the same."""

import ast
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
_OURS = ("tapes_app", "studio", "optimize_app", "tests")


@pytest.mark.parametrize("file", sorted((ROOT / "benchmarks").glob("*.py")), ids=lambda p: p.name)
def test_what_a_benchmark_imports_is_there(file: Path) -> None:
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if not isinstance(node, ast.ImportFrom) or not node.module:
            continue
        if node.module.partition(".")[0] not in _OURS:
            continue
        module = import_module(node.module)
        for name in (alias.name for alias in node.names):
            found = hasattr(module, name) or find_spec(f"{node.module}.{name}") is not None
            assert found, f"{node.module} has no {name}"
