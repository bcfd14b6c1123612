"""The import contracts name every subject and all pure modules, so that none escapes them."""

import tomllib

from tests.architecture.naming import ROOT, TAPES_APP, list_subjects

_LAYERS = {"api", "services", "store", "domain"}
_CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]


def _read_contract(beginning: str, key: str) -> set[str]:
    """Return the names that a contract lists, splitting those that share a line."""
    contracts = [
        contract for contract in _CONTRACTS["contracts"] if contract["name"].startswith(beginning)
    ]
    assert len(contracts) == 1, beginning
    return {
        name.strip("() ")
        for line in contracts[0][key]
        for name in line.replace(":", "|").split("|")
    }


def _name_subjects() -> set[str]:
    return {f"tapes_app.{subject}" for subject in list_subjects()}


def test_a_subject_has_no_module_that_escapes_its_contracts() -> None:
    beside = {
        f"{subject}.{path.stem}"
        for subject in list_subjects()
        for path in (TAPES_APP / subject).iterdir()
        if (path.suffix == ".py" or (path / "__init__.py").is_file())
        and path.stem not in {*_LAYERS, "__init__"}
    }

    # Programs of users name this one; it is pure, too.
    assert beside == {"bulk.transform"}
    pure = _read_contract("Pure modules of the subjects", "source_modules")
    assert pure == {"tapes_app.*.domain", "tapes_app.bulk.transform"}


def test_the_layers_inside_a_subject_hold_for_every_subject() -> None:
    assert _read_contract("Inside each subject", "containers") == _name_subjects()


def test_every_subject_has_its_place_in_the_order() -> None:
    assert set(list_subjects()) <= _read_contract("Inside tapes_app", "layers")


def test_no_subject_talks_to_model_vendors() -> None:
    assert _name_subjects() <= _read_contract("Only llms talks", "source_modules")
