"""A valid body for each route that takes one."""

import json
from typing import Any
from uuid import uuid4

from optimize_app.evaluation.card import CardTasks, CardVariant, SweepCard
from optimize_app.evaluation.pins import VariantPin
from optimize_app.evaluation.plan import SweepBudget
from tapes_app.bulk.store.dataset_versions import hash_members
from tapes_app.runs.domain.request import ToolPolicies
from tests.http.rows import PASSES, a_distillation, a_sweep, store_adapter, store_training_set
from tests.http.worlds import World, spec

DROP = {"kind": "drop_steps", "step_kinds": ["user"]}
RUBRIC = {"items": [{"kind": "binary", "key": "good", "question": "Good?"}]}


def a_card(world: World) -> dict[str, Any]:
    """Return the card of a sweep by an agent that no project has."""
    pin = VariantPin(agent=f"agent {uuid4()}", version=1, digest="0", model=None, models=())
    card = SweepCard(
        studio="1",
        name="sweep",
        variants=(CardVariant(pin=pin),),
        seeds=(None,),
        datasets=(),
        tasks=(CardTasks(tape_ids=(world.tape,), digest=hash_members({world.tape: ""})),),
        scoring=None,
        judge=None,
        tools=ToolPolicies(),
        max_turns=1,
        concurrency=None,
        budget=SweepBudget(),
    )
    return card.sealed().model_dump(mode="json")


def body_of(name: str, world: World) -> Any:
    """Return a valid body for a route such as \"POST tapes\"."""
    model = {"name": "other", "litellm_model": "script:echo"}
    if name in {"POST finetunes", "POST finetunes/check"}:
        training_set = str(store_training_set(world))
        return {"name": "student", "training_set_id": training_set, "base": "example/tiny"}
    if name in {"POST distillations", "POST distillations/check"}:
        return a_distillation(world)
    if name in {"POST studies", "POST studies/check"}:
        return {"name": f"study-{uuid4()}"}
    if name in {"POST sweeps", "POST sweeps/preview"}:
        return a_sweep(world)
    if name == "POST served-models":
        return {"adapter_id": str(store_adapter(world))}
    run_n = {"agent_version_id": str(world.version), "repeats": 2}
    bodies = {
        "POST openai/chat/completions": {
            "model": "agent:nobody@1",
            "messages": [{"role": "user", "content": "hi"}],
        },
        "POST openai/responses": {"model": "agent:nobody@1", "input": "hi"},
        "POST tokens": {"name": "nightly"},
        "PATCH people/{user_id}": {"role": "viewer"},
        "POST invitations": {"role": "viewer"},
        "POST projects": {"name": f"project {uuid4()}"},
        "POST projects/sample": {},
        "PATCH projects/{project_id}": {"name": f"project {uuid4()}"},
        "POST base-models": {"name": "tiny", "steps": 1},
        "POST training-sets": {"name": "another", "tape_ids": [str(world.tape)]},
        "POST finetunes/{job_id}/resume": None,
        "POST served-models/{served_id}/stop": None,
        "POST sweeps/from-card": {"card": a_card(world)},
        "POST sweeps/{job_id}/amend": {"repeats": 1},
        "POST studies/{job_id}/trees/{name}/{company}/{key}/open": None,
        "POST sweeps/{job_id}/pause": None,
        "POST sweeps/{job_id}/continue": None,
        "POST sweeps/{job_id}/amend/preview": {"repeats": 1},
        "PUT agents/{agent_id}/suites/{dataset_id}": None,
        "POST agents/{agent_id}/publications": {"version_id": str(world.version)},
        "POST suites/{dataset_id}/run": {"agent_version_ids": [str(world.version)]},
        "POST tapes/{tape_id}/regression-test": {"check": PASSES},
        "POST tapes/{tape_id}/next-step-tests": {"suite": "Next steps"},
        "PUT tapes/{tape_id}/regression-test": {"check": PASSES},
        "POST served-models/{served_id}/compare": {"tape_ids": [str(world.tape)]},
        "POST exports": {"format": "openai", "tape_ids": [str(world.tape)]},
        "POST tapes": {"agent_version_id": str(world.version), "message": "hi"},
        "POST reruns/preview": {"agent_version_id": str(world.version)},
        "POST reruns": {
            "tape_ids": [str(world.tape)],
            "agent_version_id": str(world.version),
            "batch_name": "run again",
        },
        "POST reruns/{rerun_id}/cancel": None,
        "POST reruns/{rerun_id}/undo": None,
        "POST transforms/preview": {"tape_ids": [str(world.tape)], "transforms": [DROP]},
        "POST transforms": {
            "tape_ids": [str(world.tape)],
            "transforms": [DROP],
            "batch_name": "transformed",
        },
        "POST transforms/{job_id}/undo": None,
        "POST tapes/count": {"tape_ids": [str(world.tape)]},
        "POST tapes/tags": {"tape_ids": [str(world.tape)], "add": ["good"]},
        "POST tapes/tags/{change_id}/undo": None,
        "POST tapes/changes": {
            "tape_ids": [str(world.tape)],
            "change": {"is_pinned": True},
        },
        "POST tapes/changes/{change_id}/undo": None,
        "PATCH tapes/{tape_id}": {"is_pinned": True},
        "POST tapes/{tape_id}/restore": None,
        "POST tapes/{tape_id}/fork": {"at": 1},
        "POST tapes/{tape_id}/replay": {},
        "POST tapes/{tape_id}/estimate": {"agent_version_id": str(world.version)},
        "PUT step-kinds/families": {"kind": "hover", "family": "action"},
        "PUT tapes/{tape_id}/draft": {
            "version": 0,
            "operations": [{"op": "delete", "position": 0}],
            "applied_count": 1,
        },
        "POST tapes/{tape_id}/save": None,
        "POST tapes/{tape_id}/improve": {},
        "POST tapes/{tape_id}/steps/{position}/revision": None,
        "POST tapes/{tape_id}/resume": {"agent_version_id": str(world.version), "at": 1},
        "POST tapes/{tape_id}/reply": {"text": "yes"},
        "POST tapes/{tape_id}/annotations": {"kind": "note", "text": "hm", "position": 1},
        "PATCH tapes/{tape_id}/annotations/{annotation_id}": {"text": "other words"},
        "POST tapes/{tape_id}/annotations/{annotation_id}/restore": None,
        "POST tapes/{tape_id}/playground": {
            "model_id": str(world.model),
            "messages": [{"role": "user", "content": "hi"}],
        },
        "POST tapes/{tape_id}/calls/{call_id}/steps": {"content": "something else"},
        "POST tapes/{tape_id}/experiments": run_n,
        "POST tapes/{tape_id}/experiments/check": run_n,
        "POST experiments/{experiment_id}/cancel": None,
        "POST experiments/{experiment_id}/retry": {"budget": {"tokens": 1000}},
        "POST experiments/{experiment_id}/check": {"check": {"kind": "no_error"}},
        "PATCH experiments/{experiment_id}/branches/{number}": {"passed": True},
        "POST experiments/{experiment_id}/labels": {"name": "training_set", "best": 0},
        "POST jobs/{job_id}/cancel": None,
        "POST jobs/{job_id}/requeue": None,
        "POST jobs/{job_id}/reply": {"text": "yes"},
        "POST jobs/{job_id}/pause": None,
        "POST jobs/{job_id}/continue": {"mode": "step"},
        "POST jobs/{job_id}/steer": {"text": "look again"},
        "PUT jobs/{job_id}/breakpoints": {"breakpoints": [{"kind": "node", "value": "say"}]},
        "POST agents": {"spec": spec("another").model_dump(mode="json")},
        "PUT agents/versions/{version_id}/note": {"note": "Shorter answers"},
        "PUT agents/{agent_id}/draft": {"spec": {}, "revision": 0},
        "POST agents/{agent_id}/draft/undo": {"revision": 0},
        "POST agents/{agent_id}/draft/redo": {"revision": 0},
        "POST agents/{agent_id}/draft/prompt": {"tape_id": str(world.tape), "position": 1},
        "POST agents/{agent_id}/draft/save": {"revision": 0},
        "POST agents/{agent_id}/draft/run": {
            "revision": 0,
            "tape_id": str(world.tape),
            "position": 1,
        },
        "POST agents/from-tape": {"tape_id": str(world.tape), "name": "fourth"},
        "POST agents/import": {"text": json.dumps(spec("third").model_dump(mode="json"))},
        "POST agents/{agent_id}/versions": {"spec": spec(text="Be brief.").model_dump(mode="json")},
        "POST models": model,
        "PUT models/{model_id}": model,
        "PATCH models/{model_id}": {"name": "renamed"},
        "POST models/{model_id}/test": None,
        "POST tapes/{tape_id}/lint/notes": {"detector": "unfulfilled_action", "position": 0},
        "POST lint/jobs": {"batch_id": str(world.batch)},
        "POST lint/rules": {"name": "another", "text": "never is_error"},
        "POST lint/rules/check": {"text": "never is_error"},
        "POST tool-rules/dry-run": {"rules": [{"action": "deny"}]},
        "PATCH lint/rules/{rule_id}": {"is_enabled": False},
        "PATCH lint/detectors/{name}": {"is_enabled": False},
        "POST rubrics": {"name": "another", "rubric": RUBRIC},
        "PUT rubrics/{rubric_id}": {"name": "renamed", "rubric": RUBRIC},
        "POST queues": {"name": "another", "rubric_id": str(world.rubric)},
        "POST environments/checks": {"name": "code"},
        "POST environments/servers": {"servers": {"mcpServers": {"here": {"command": "true"}}}},
        "PUT environments/servers/{server}/tools": {"tools": []},
        "POST queues/pairs": {"tape_ids": [str(world.tape)]},
        "PATCH queues/{queue_id}": {"name": "renamed"},
        "POST queues/{queue_id}/items": {"targets": [{"tape_id": str(world.tape)}]},
        "POST queues/{queue_id}/next": None,
        "POST queues/{queue_id}/back": None,
        "POST queues/{queue_id}/requeue": {},
        "POST queues/{queue_id}/items/{item_id}/answer": {"values": {"good": True}},
        "POST queues/{queue_id}/items/{item_id}/skip": None,
        "POST queues/{queue_id}/items/{item_id}/release": None,
        "POST datasets": {"name": "another"},
        "POST datasets/word-problems": {"count": 2},
        "PATCH datasets/{dataset_id}": {"name": "renamed"},
        "POST datasets/{dataset_id}/restore": None,
        "POST datasets/{dataset_id}/add": {"tape_ids": [str(world.tape)]},
        "POST datasets/{dataset_id}/remove": {"tape_ids": [str(world.tape)]},
        "POST datasets/changes/{change_id}/undo": None,
        "POST datasets/{dataset_id}/scorers": {"name": "exact", "scorer": {"kind": "equals"}},
        "POST datasets/{dataset_id}/scorers/openai-eval": {"definition": {"type": "python"}},
        "POST datasets/{dataset_id}/versions": None,
        "POST sweeps/{job_id}/scorings": {"scorer": {"kind": "contains"}},
        "POST sweeps/{job_id}/scorings/check": {"scorer": {"kind": "contains"}},
        "POST sweeps/{job_id}/scorings/{scoring_id}/verdicts/{tape_id}": None,
        "POST sweeps/{job_id}/scorings/{scoring_id}/labels": {"name": "to label", "count": 1},
        "POST example-files": None,
        "POST example-files/{file_id}/preview": {"message": "question"},
        "POST example-files/{file_id}/import": {
            "dataset": "from a file",
            "mapping": {"message": "question"},
        },
        "POST lenses": {"name": "another", "look": {"sort": "-cost"}},
        "PATCH lenses/{lens_id}": {"name": "renamed"},
        "POST uploads": None,
    }
    return bodies[name]
