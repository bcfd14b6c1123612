"""Which tests a change may break, for work between two whole runs.

Those of the changed subjects, those that import what changed, however indirectly, and those that
quote a sentence that is no longer there. CI runs everything.
"""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import grimp

ROOT = Path(__file__).resolve().parent.parent
_PACKAGES = ("studio", "tapes_app", "optimize_app", "tests")
_SENTENCE = re.compile(r"""["'>`]([^"'<>`{}\\]{12,})["'<`{]""")
"""In quotes, or between the tags of a page."""


def list_changed_tests(base: str) -> list[str]:
    """Return the files of tests for what changed since a commit, also what is not committed."""
    changed = {ROOT / name for name in _list_changed_files(base)}
    found = {*_list_by_imports(changed), *_list_by_subject(changed), *_list_quoting(base)}
    return sorted(str(path.relative_to(ROOT)) for path in found if path.exists())


def _list_changed_files(base: str) -> list[str]:
    committed = _git("diff", "--name-only", base)
    return [*committed, *_git("ls-files", "--others", "--exclude-standard")]


def _list_by_imports(changed: set[Path]) -> Iterator[Path]:
    graph = grimp.build_graph(*_PACKAGES, cache_dir=None)
    for path in changed:
        module = _name_module(path)
        if module in graph.modules:
            for name in {module, *graph.find_downstream_modules(module)}:
                file = ROOT / (name.replace(".", "/") + ".py")
                if file.name.startswith("test_"):
                    yield file


def _list_by_subject(changed: set[Path]) -> Iterator[Path]:
    """Yield the tests of a subject: what they ask over HTTP is not in their imports."""
    for path in changed:
        app, subject, *_ = (*path.relative_to(ROOT).parts, "")
        if app.endswith("_app"):
            yield from (ROOT / "tests" / subject).glob("test_*.py")


def _list_quoting(base: str) -> Iterator[Path]:
    gone = {
        sentence.strip()
        for line in _git("diff", "--unified=0", base, "--", ".", ":!tests")
        if line.startswith("-") and not line.startswith("---")
        for sentence in _SENTENCE.findall(line)
    }
    if gone:
        for path in (ROOT / "tests").rglob("test_*.py"):
            text = path.read_text("utf-8")
            if any(sentence in text for sentence in gone):
                yield path


def _name_module(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts).removesuffix(".__init__")


def _git(*arguments: str) -> list[str]:
    ended = subprocess.run(
        ["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return ended.stdout.splitlines()
