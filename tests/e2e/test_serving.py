"""A person serves a student, runs it from a step of a held-out tape, and compares it."""

import re

from playwright.sync_api import Page, expect

from tests.e2e.hands import choose, select_step
from tests.e2e.making import Maker
from tests.serving.servers import make_long_base
from tests.studio.running_studio import RunningStudio

OPTIONS = {
    "steps": 60,
    "max_length": 256,
    "tokens_per_pass": 512,
    "too_long": "cut_start",
    "generations": 0,
}


def test_a_student_is_served_tried_and_compared_by_mouse(studio: RunningStudio, page: Page) -> None:
    make_long_base(studio.data_dir / "models" / "minute")
    maker = Maker(page)
    learned, held_out = maker.copy("How did the robot maker"), record_teacher(maker, page)
    maker.send("PATCH", f"tapes/{held_out}", {"split": "validation"})
    make_adapter(maker, page, learned, held_out)

    page.goto("/training?tab=adapters")
    page.get_by_role("button", name="Serve Pupil", exact=True).click()
    page.get_by_role("link", name="Starting").click()
    served = page.get_by_role("table", name="Served models")
    row = served.get_by_role("row", name=re.compile(r"\bPupil\b"))
    expect(row.get_by_text("Ready")).to_be_visible()
    expect(row.get_by_text(re.compile("^within .* nats$"))).to_be_visible()

    page.goto(f"/t/{held_out}?step=0")
    asked = page.get_by_role("article", name=re.compile("^Step 0,"))
    select_step(asked).get_by_role("button", name="Fork here").click()
    bar = page.get_by_role("region", name="Run", exact=True)
    choose(bar.get_by_role("combobox", name="Model", exact=True), "Pupil")
    bar.get_by_role("button", name=re.compile("^Resume")).first.click()
    expect(page.get_by_label("The agent is waiting for your answer")).to_be_visible()
    child = page.url.partition("/t/")[2].partition("?")[0]
    assert child != held_out
    said = maker.get(f"tapes/{child}/steps")["items"][1]
    call = maker.get(f"tapes/{child}/calls/{said['call_id']}")
    assert call["model_name"].endswith("/Pupil")

    page.goto("/training?tab=served")
    row.get_by_role("button", name="Compare with teacher").click()
    page.get_by_role("link", name=re.compile("^Compare")).click()
    pairs = page.get_by_role("table", name="Pairs")
    expect(pairs.get_by_role("row", name=re.compile("How far is 10 km"))).to_be_visible()

    page.goto("/training?tab=served")
    row.get_by_role("link", name="Evaluate").click()
    sweep = page.get_by_role("dialog", name="New sweep")
    expect(sweep.get_by_text("Agent default", exact=True)).to_be_visible()
    expect(sweep.get_by_text("Pupil", exact=True)).to_be_visible()

    page.goto("/training?tab=served")
    row.get_by_role("button", name="Log").click()
    log = page.get_by_role("dialog", name="Log of the server of Pupil")
    expect(log.get_by_text(re.compile("Answering on"))).to_be_visible()
    page.keyboard.press("Escape")
    row.get_by_role("button", name="Stop").click()
    expect(row.get_by_text("Stopped")).to_be_visible()
    expect(row.get_by_role("button", name="Serve again")).to_be_visible()


def record_teacher(maker: Maker, page: Page) -> str:
    """Return a tape of the batch "teacher"."""
    (agent,) = [one for one in maker.get("agents") if one["name"] == "chat"]
    asked = {
        "tape_ids": [maker.sample("How far is 10 km")],
        "agent_version_id": agent["latest_version_id"],
        "batch_name": "teacher",
    }
    page.goto(f"/runs/{maker.send('POST', 'reruns', asked)['id']}")
    expect(page.get_by_role("link", name="Show the batch")).to_be_visible()
    expect(page.get_by_text("1 run finished")).to_be_visible()
    (tape,) = maker.get("tapes?q=batch:teacher")["items"]
    return str(tape["id"])


def make_adapter(maker: Maker, page: Page, *tapes: str) -> None:
    """Train for a few steps, as the page of training does."""
    body = {"name": "for a pupil", "tape_ids": list(tapes), "held_out_share": 0}
    made = maker.send("POST", "training-sets", body)
    maker.wait_for(f"jobs/{made['id']}", lambda job: job["state"] == "succeeded")
    (training_set, *_) = maker.get("training-sets")["items"]
    asked = {
        "name": "Pupil", "training_set_id": training_set["id"], "base": "minute",
        "options": OPTIONS,
    }  # fmt: skip
    page.goto(f"/training/{maker.send('POST', 'finetunes', asked)['id']}")
    expect(page.get_by_text("Succeeded", exact=True)).to_be_visible()
