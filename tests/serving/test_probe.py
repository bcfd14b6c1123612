"""The probe passes where server and model agree, and finds an adapter that changed on disk."""

import json
from pathlib import Path

import pytest

from optimize_app.serving.probe import FAILED, PASSED, REFUSED, main
from tests.serving.servers import Running, make_adapter, write_server


def write_calls(server: Running, name: str) -> None:
    (server.folder / "probes").mkdir(exist_ok=True)
    calls = [{"messages": [{"role": "user", "content": f"what is {n} + 2"}]} for n in range(7)]
    lines = "".join(json.dumps(call) + "\n" for call in calls)
    (server.folder / "probes" / f"{name}.jsonl").write_text(lines)


@pytest.mark.parametrize("name", ["base", "one.v1", "dora"])
def test_a_server_that_answers_as_its_model_passes(server: Running, name: str) -> None:
    write_calls(server, name)

    assert main([str(server.folder), name]) == PASSED

    parity = json.loads((server.folder / "probes" / f"{name}.json").read_text())
    assert parity["passed"]
    assert parity["texts_equal"]
    assert len(parity["calls"]) == 5
    assert parity["mean"] <= parity["largest"] < parity["bound"] == 1e-3


def test_an_adapter_that_changed_after_it_was_loaded_fails(
    server: Running, base: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = make_adapter(base, server.folder / "adapters" / "changing", 5)
    write_calls(server, "changing")
    before = main([str(server.folder), "changing"])

    make_adapter(base, place, 6)

    assert (before, main([str(server.folder), "changing"])) == (PASSED, FAILED)
    parity = json.loads((server.folder / "probes" / "changing.json").read_text())
    assert not parity["passed"]
    assert parity["largest"] > parity["bound"]
    assert parity["message"] in capsys.readouterr().err


def test_without_a_server_or_calls_there_is_no_comparison(
    server: Running, base: Path, tmp_path: Path
) -> None:
    write_calls(server, "calls")
    calls = ["--calls", str(server.folder / "probes" / "calls.jsonl")]
    write_server(tmp_path, base)

    assert main([str(server.folder), "three", *calls]) == REFUSED
    assert main([str(server.folder), "two"]) == REFUSED
    assert main([str(tmp_path), "base", *calls]) == REFUSED

    said = json.loads((tmp_path / "probes" / "base.json").read_text())
    assert not said["passed"]
    assert "No server answers" in said["message"]
