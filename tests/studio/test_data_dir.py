"""The data folder and its key."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from studio.data_dir import load_secret_key, prepare_data_dir


def test_the_key_is_made_once_and_private(tmp_path: Path) -> None:
    key = load_secret_key(tmp_path)

    assert load_secret_key(tmp_path) == key
    assert (tmp_path / "secret_key").stat().st_mode & 0o777 == 0o600


def test_processes_that_start_together_agree_on_the_key(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        keys = set(pool.map(load_secret_key, [tmp_path] * 16))

    assert len(keys) == 1


def test_the_folder_is_its_owners_alone(tmp_path: Path) -> None:
    prepare_data_dir(tmp_path / "studio")

    assert (tmp_path / "studio").stat().st_mode & 0o777 == 0o700
