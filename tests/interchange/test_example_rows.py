"""Rows of a file of examples are counted without reading what they hold."""

from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tapes_app.interchange.example_rows import check_row_count, read_rows
from tapes_app.interchange.refusals import FormatProblem

PIECES = st.lists(
    st.sampled_from([b"a", b'"', b",", b"\n", b"\r\n", b'{"a": 1}', b" "]), max_size=40
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(PIECES, st.sampled_from([("rows.csv", b"a,b\n"), ("rows.jsonl", b'{"a": 1}\n')]))
def test_a_file_has_too_many_rows_if_reading_it_says_so(
    tmp_path: Path, pieces: list[bytes], kind: tuple[str, bytes]
) -> None:
    name, head = kind
    path = tmp_path / name
    path.write_bytes(head + b"".join(pieces))

    def refuses(look: Callable[[], object]) -> bool:
        try:
            look()
        except FormatProblem as problem:
            return "more than 3 rows" in problem.reason
        return False

    is_refused = refuses(lambda: check_row_count(path, name, most=3))

    assert is_refused == refuses(lambda: list(read_rows(path, name, most=3)))


def test_a_parquet_file_says_how_many_rows_it_has(tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    pq.write_table(pa.table({"a": [1, 2, 3, 4]}), path)

    check_row_count(path, path.name, most=4)
    with pytest.raises(FormatProblem, match="more than 3 rows"):
        check_row_count(path, path.name, most=3)
