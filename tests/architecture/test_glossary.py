"""The glossary and the code use the same words."""

import re

import pytest

from tests.architecture.naming import FEATURES, ROOT, list_modules, list_subjects

_GLOSSARY = ROOT / "docs" / "glossary.md"


def _read_rows() -> list[tuple[str, str]]:
    """Return the first and the last column of each row of the tables."""
    lines = _GLOSSARY.read_text("utf-8").splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if "|" in line]
    return [(row[0], row[-1]) for row in rows if row[0] != "term" and set(row[0]) != {"-"}]


def _list_terms() -> set[str]:
    return {term.strip("` ").lower() for terms, _ in _read_rows() for term in terms.split(",")}


def _list_other_words() -> set[str]:
    return {word for _, others in _read_rows() for word in re.findall(r"`(\w+)`", others)}


def _split_camel_case(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()


@pytest.mark.parametrize("subject", list_subjects())
def test_every_subject_is_explained(subject: str) -> None:
    assert subject in _list_terms()


def test_every_feature_of_the_front_end_is_explained() -> None:
    names = {folder.name.replace("-", " ") for folder in FEATURES.iterdir() if folder.is_dir()}

    unexplained = {name for name in names if not {name, f"{name} page"} & _list_terms()}

    assert unexplained == set()


def test_every_page_is_explained() -> None:
    pages = {_split_camel_case(path.stem) for path in FEATURES.rglob("*Page.tsx")}

    assert pages - _list_terms() == set()


def test_no_module_ends_in_a_word_that_is_not_ours() -> None:
    others = _list_other_words()

    strangers = {
        str(path)
        for path in list_modules()
        if {path.stem.split("_")[-1], path.stem.split("_")[-1].removesuffix("s")} & others
    }

    assert strangers == set()


def test_no_word_is_both_ours_and_not() -> None:
    assert _list_other_words() & _list_terms() == set()


def test_no_function_or_variable_is_named_by_a_verb_that_tells_nothing_of_it() -> None:
    verb = r"\w*?(?<![a-z])(?:told|said|came|begun)(?![a-z])\w*"
    named = re.compile(
        rf"\b(?:def|class|for) {verb}|^ *(?:self\.)?{verb}(?:: [^=\n]+)? = ",
        re.MULTILINE | re.IGNORECASE,
    )
    sources = [
        path
        for folder in ("tapes_app", "optimize_app", "studio", "deploy")
        for path in (ROOT / folder).rglob("*.py")
        if "migrations" not in path.parts
    ]

    found = {
        f"{path.relative_to(ROOT)}: {name.strip()}"
        for path in sources
        for name in named.findall(path.read_text("utf-8"))
    }

    assert len(sources) > 800
    # Columns and stored JSON keep their names.
    assert found == {
        "tapes_app/models/experiments.py: has_told_tape =",
        "tapes_app/runs/domain/progress.py: begun: tuple[str, ...] =",
    }
