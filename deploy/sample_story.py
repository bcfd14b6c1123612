"""What happens in the sample project, in order: each chapter is work that a page can show."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.test import Client
from django.test.utils import setup_test_environment

from optimize_app import job_kinds  # noqa: F401 - registers what a worker can do
from tapes_app import job_kinds as tape_job_kinds  # noqa: F401 - the same, of tapes
from tapes_app.gallery.judge.script import MODEL as JUDGE
from tapes_app.jobs.store.log import prune_finished_logs
from tapes_app.management.named import find_operator
from tapes_app.models import JobRecord
from tapes_app.projects.services.sample import (
    SAMPLE_FILE,
    SAMPLE_ID,
    SAMPLE_NAME,
    keep_sample,
)
from tapes_app.projects.store import projects
from tests.http.asking import call
from tests.jobs.hosting import workers_beside
from tests.waiting import wait_until

TASKS, LESSONS, HELD_OUT = 24, 24, 6
AGENT = "solver"
CARELESS, CAREFUL = 0.3, 0.04
"""How often the two versions of the agent mistake a sentence."""

SOUND = {
    "items": [
        {
            "kind": "binary",
            "key": "sound",
            "question": "Is every step of the reasoning right?",
            "help": "A right answer by a wrong step is a no.",
        },
        {"kind": "scale", "key": "clear", "question": "How easy was it to follow?"},
    ],
    "score": {"rule": "item", "item": "sound"},
}
BASE = {"name": "sample-base", "steps": 150, "width": 32, "layers": 1, "vocabulary": 300}
FINETUNE = {"max_length": 256, "tokens_per_pass": 1024, "batch_size": 8, "evaluate_every": 5}


@dataclass
class Hand:
    """A person at a browser, in the sample project."""

    name: str
    client: Client = field(default_factory=Client)

    def ask(self, method: str, path: str, body: Any = None, expect: int = 200) -> Any:
        return call(self.client, method, path, body, expect)

    def wait(self, job: str) -> Any:
        """Return a job when it has succeeded."""

        def look() -> Any:
            return self.ask("GET", f"jobs/{job}")

        _wait(lambda: look()["finished_at"], f"{job} to end")
        done = look()
        assert done["state"] == "succeeded", done
        return done


def tell() -> None:
    """Let the story happen in an empty studio, and keep the project."""
    setup_test_environment()
    projects.ensure_project(SAMPLE_ID, SAMPLE_NAME)
    owner = _enter(get_user_model().objects.get(pk=find_operator("").user_id).username, "owner")
    mira, jonas = _enter("Mira (sample)", "member"), _enter("Jonas (sample)", "member")
    with workers_beside():
        first, second = _make_versions(owner)
        sweep = _compare(owner, first, second)
        mistake = _find_mistake(owner, sweep)
        _mend(owner, first, mistake)
        _freeze(owner, [first, second], mistake[0])
        _judge(owner, mira, sweep)
        _agree(owner, mira, jonas, sweep)
        _teach(owner, second)
        _lint(owner)
    keep(owner.name)


def keep(owner: str) -> None:
    """Write the project to the file that ships."""
    # As a studio does it after some days: the steps hold what the events said.
    prune_finished_logs(older_than=timedelta(0))
    base = f"models/{BASE['name']}"
    keep_sample(SAMPLE_ID, SAMPLE_FILE, owner=owner, more=[base], is_kept=_is_shown)
    print(f"{SAMPLE_FILE}: {SAMPLE_FILE.stat().st_size:,} bytes")


def _is_shown(path: str) -> bool:
    """Return whether a page reads a file; what only goes on with a run is left out."""
    left_out = {"checkpoints", "tensorboard", "blank", "lock", "watched", "log.txt"}
    is_base = (Path(settings.STUDIO_DATA_DIR) / path).parent.joinpath("recipe.json").exists()
    is_twice = is_base and path.startswith("finetunes/") and path.endswith("samples.jsonl")
    return not left_out & set(path.split("/")) and not is_twice and "/model/" not in path


def _wait(is_there: Callable[[], object], what: str) -> None:
    """Wait for something, however slow the machine, as long as jobs begin and end meanwhile."""
    busy = JobRecord.objects.filter(finished_at__isnull=False)
    wait_until(is_there, what, progress=busy.count, pause_seconds=0.5)


def _enter(name: str, role: Any) -> Hand:
    user, _ = get_user_model().objects.get_or_create(username=name)
    projects.ensure_member(SAMPLE_ID, user.pk, role)
    client = Client(headers={"X-Project": str(SAMPLE_ID)})
    client.force_login(user)
    return Hand(name, client)


def _make_versions(owner: Hand) -> tuple[str, str]:
    """Two versions of an agent: one that hurries, and one that reads each sentence twice."""
    gallery = {one["spec"]["name"]: one["spec"] for one in owner.ask("GET", "gallery")}
    spec = gallery["math"]
    made = owner.ask("POST", "agents", {"spec": _erring(spec, CARELESS)}, 201)
    body = {"spec": _erring(spec, CAREFUL)}
    better = owner.ask("POST", f"agents/{made['id']}/versions", body, 201)
    return made["latest_version_id"], better["id"]


def _erring(spec: Any, rate: float) -> Any:
    parameters = {"script": {"error_rate": rate, "seed": 0}}
    llms = {key: {**llm, "parameters": parameters} for key, llm in spec["llms"].items()}
    return {**spec, "name": AGENT, "llms": llms}


def _compare(owner: Hand, first: str, second: str) -> str:
    """Both versions solve the same problems: two batches with a winner."""
    _make_problems("Word problems", "test", TASKS)
    body = {
        "name": "Two versions",
        "q": 'dataset:"Word problems"',
        "variants": [{"agent_version_id": first}, {"agent_version_id": second}],
    }
    sweep = owner.ask("POST", "sweeps", body, 202)["id"]
    owner.wait(sweep)
    return str(sweep)


def _make_problems(name: str, split: str, count: int) -> None:
    call_command(
        "make_problems", "--split", split, "--count", str(count), "--seed", "1",
        "--dataset", name, "--project", SAMPLE_NAME, verbosity=0,
    )  # fmt: skip


def _find_mistake(owner: Hand, sweep: str) -> tuple[str, int, Any]:
    """Return an attempt that failed by one step, the step's position, and what it should say.

    The other version's attempt at the same problem passed, and says it.
    """
    for task in owner.ask("GET", f"sweeps/{sweep}")["tasks"]:
        (left,), (right,) = task["cells"]
        if left["passed"] is False and right["passed"]:
            thoughts = [_list_thoughts(owner, one["tape_id"]) for one in (left, right)]
            apart = [
                (at, right)
                for (at, left), (_, right) in zip(*thoughts, strict=False)
                if left != right
            ]
            if len(apart) == 1 and "skip" not in str(thoughts[0][-3:]):
                return left["tape_id"], *apart[0]
    raise LookupError("no problem has one mistake")


def _list_thoughts(owner: Hand, tape: str) -> list[tuple[int, Any]]:
    items = owner.ask("GET", f"tapes/{tape}/steps?limit=200")["items"]
    thoughts = (one for one in items if one["kind"] == "math_thought")
    return [
        (one["position"], {k: v for k, v in one["body"].items() if k != "metadata"})
        for one in thoughts
    ]


def _mend(owner: Hand, version: str, mistake: tuple[str, int, Any]) -> None:
    """A fix of the step at which it went wrong, run beside the tape as recorded."""
    failed, at, step = mistake
    operation = {"op": "replace", "position": at, "step": step}
    draft = {
        "version": 0, "operations": [operation], "applied_count": 1, "name": "Read the sentence",
    }  # fmt: skip
    owner.ask("PUT", f"tapes/{failed}/draft?fix=A", draft)
    tape = owner.ask("GET", f"tapes/{failed}")
    body = {
        "agent_version_id": version,
        "name": "Does reading the sentence right mend it?",
        "arms": ["original", "A"],
        "repeats": 5,
        "check": {"kind": "number", "value": float(tape["expected"])},
    }
    made = owner.ask("POST", f"tapes/{failed}/experiments", body, 201)
    _wait_for_experiment(owner, made["row"]["id"])


def _wait_for_experiment(owner: Hand, experiment: str) -> None:
    def is_judged() -> bool:
        branches = owner.ask("GET", f"experiments/{experiment}")["branches"]
        return all(one["passed"] is not None for one in branches)

    _wait(is_judged, "the experiment to be judged")


def _freeze(owner: Hand, versions: list[str], failed: str) -> None:
    """The failure as a regression test, which the second version passes."""
    asked = {"suite": "Solved once", "at": 1}
    owner.ask("POST", f"tapes/{failed}/regression-test", asked, 201)
    (suite,) = owner.ask("GET", "suites")["items"]
    job = owner.ask("POST", f"suites/{suite['id']}/run", {"agent_version_ids": versions}, 202)["id"]
    owner.wait(job)


def _judge(owner: Hand, mira: Hand, sweep: str) -> None:
    """A lenient judge scores the sweep, and a person checks half of its verdicts."""
    model = {
        "name": "number judge", "litellm_model": JUDGE,
        "parameters": {"script": {"leniency": 0.4, "seed": 1}},
    }  # fmt: skip
    judge = owner.ask("POST", "models", model, 201)["id"]
    scorer = {"kind": "judge", "model_id": judge, "rubric": "Is the answer the expected one?"}
    asked = owner.ask("POST", f"sweeps/{sweep}/scorings", {"scorer": scorer}, 202)
    owner.wait(asked["id"])
    (scoring,) = (
        one["scoring_id"] for one in owner.ask("GET", f"sweeps/{sweep}")["scorings"]
        if one["scoring_id"]
    )  # fmt: skip
    place = f"sweeps/{sweep}/scorings/{scoring}"
    queue = owner.ask("POST", f"{place}/labels", {"name": "Check the judge", "count": 30}, 201)
    _answer(mira, queue["id"], 30, lambda tape: {"passed": tape["outcome"] == "pass"})


def _answer(who: Hand, queue: str, count: int, answer: Any) -> None:
    for _ in range(count):
        item = who.ask("POST", f"queues/{queue}/next")["assignment"]
        if item is None:
            return
        tape = who.ask("GET", f"tapes/{item['tape_id']}")
        body = {"values": answer(tape), "seconds": 20.0}
        who.ask("POST", f"queues/{queue}/items/{item['item_id']}/answer", body, 204)


def _agree(owner: Hand, mira: Hand, jonas: Hand, sweep: str) -> None:
    """A queue for two people, who have half of it behind them and do not always agree."""
    rubric = owner.ask("POST", "rubrics", {"name": "Sound reasoning", "rubric": SOUND}, 201)["id"]
    tasks = owner.ask("GET", f"sweeps/{sweep}")["tasks"][:12]
    # Of each version in turn: both right and wrong reasoning.
    targets = [
        {"tape_id": task["cells"][number % 2][0]["tape_id"]} for number, task in enumerate(tasks)
    ]
    body = {
        "name": "Read the reasoning", "rubric_id": rubric, "targets": targets,
        "annotators_per_item": 2,
    }  # fmt: skip
    queue = owner.ask("POST", "queues", body, 201)["id"]
    _answer(mira, queue, 7, lambda t: {"sound": t["outcome"] == "pass", "clear": 4})
    disputed = targets[4]["tape_id"]
    _answer(jonas, queue, 6, lambda tape: _read_again(tape, disputed))


def _read_again(tape: Any, disputed: str) -> Any:
    is_other = tape["id"] == disputed
    return {"sound": (tape["outcome"] == "pass") != is_other, "clear": 3 if is_other else 4}


def _lint(owner: Hand) -> None:
    """A rule of the project's own, which finds what cannot be right."""
    text = "never kind == 'math_result' && starts_with(result, '-')"
    owner.ask("POST", "lint/rules", {"name": "A count below zero", "text": text}, 201)
    owner.wait(owner.ask("POST", "lint/jobs", {}, 201)["id"])


def _teach(owner: Hand, version: str) -> None:
    """What was solved, learnt by a model so small that it fits in this project."""
    _make_problems("Problems to learn from", "train", LESSONS)
    _make_problems("Problems held out", "validation", HELD_OUT)
    body = {
        "agent_version_id": version, "batch_name": "Lessons",
        "q": 'dataset:"Problems to learn from","Problems held out"',
    }  # fmt: skip
    rerun = owner.ask("POST", "reruns", body, 202)["id"]
    _wait(lambda: owner.ask("GET", f"reruns/{rerun}")["state"] == "finished", "the lessons")
    owner.wait(owner.ask("POST", "base-models", BASE, 202)["id"])
    body = {
        "name": "Solved problems", "q": "batch:Lessons outcome:pass",
        "base": BASE["name"], "held_out_share": 0.2,
    }  # fmt: skip
    done = owner.wait(owner.ask("POST", "training-sets", body, 202)["id"])
    body = {
        "name": "student", "training_set_id": done["result"]["training_set_id"],
        "base": BASE["name"], "options": FINETUNE,
    }  # fmt: skip
    owner.wait(owner.ask("POST", "finetunes", body, 202)["id"])
