"""Change the tapes that fit a query alike: children in a new batch, after a look."""

import json
from typing import Any

from django.core.management.base import CommandParser
from pydantic import ValidationError

from tapes_app.bulk.services.transform_jobs import start_transform, undo_transform
from tapes_app.bulk.services.transform_request import TransformRequest, TransformSpec
from tapes_app.bulk.services.transforming import preview
from tapes_app.engine.errors import InvalidInputError
from tapes_app.engine.steps import first_reason
from tapes_app.jobs.protocol import FINAL_STATES
from tapes_app.jobs.store.job import load_job
from tapes_app.management.command_line import Answer, StudioCommand, read_id, tell_discarded
from tapes_app.management.queue_work import work_until
from tapes_app.projects.services.people import Person
from tapes_app.projects.wording import count_of


class Command(StudioCommand):
    help = (
        "Create a changed child of each tape that matches a query, in a new batch. A transform "
        'is JSON as in the API: \'{"kind": "drop_steps", "step_kinds": '
        '["assistant_thought"]}\''
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "transforms", metavar="JSON", nargs="*", help="transforms, applied in order"
        )
        parser.add_argument("--undo", metavar="JOB", help="remove the tapes of a transform")
        parser.add_argument(
            "--query", "-q", metavar="QUERY", default="", help="query, as in list_tapes"
        )
        parser.add_argument("--batch", metavar="NAME", default="", help="name of the new batch")
        parser.add_argument("--preview", action="store_true", help="show what would change")

    def work(self, person: Person, options: dict[str, Any]) -> Answer:
        if options["undo"]:
            return tell_discarded(undo_transform(person, read_id(options["undo"])))
        if not options["transforms"]:
            raise InvalidInputError("Give at least one transform, or --undo.")
        spec = _read_spec(options)
        if options["preview"]:
            return self._preview(person, spec)
        if not options["batch"]:
            raise InvalidInputError("Name the new batch with --batch, or use --preview.")
        request = TransformRequest(
            q=spec.q, transforms=spec.transforms, batch_name=options["batch"]
        )
        job_id = start_transform(person, request).id
        work_until(lambda: load_job(person.project_id, job_id).state in FINAL_STATES)
        job = load_job(person.project_id, job_id)
        if job.result is None:
            return Answer(job.message, {"error": {"message": job.message}}, is_done=False)
        self._tell_left_out({one["why"]: one["tape_count"] for one in job.result["left_out"]})
        made = f"{count_of(job.result['tapes'], 'tape')} created in {job.result['batch_name']!r}"
        unchanged = f"{job.result['unchanged']} unchanged"
        values = {**job.result, "undo": str(job.id)}
        return Answer(f"{made}; {unchanged}; undo with --undo {job.id}.", values)

    def _preview(self, person: Person, spec: TransformSpec) -> Answer:
        found = preview(person, spec)
        for sample in found.samples:
            self.tell(
                f"{sample.tape_id}  {count_of(sample.change_count, 'change')}  {sample.title}"
            )
        self._tell_left_out(found.left_out)
        values = {
            "tapes": found.tape_count,
            "looked_at": found.looked_at,
            "changed_tapes": found.changed_tapes,
            "changed_steps": found.changed_steps,
            "left_out": dict(found.left_out),
        }
        places = count_of(found.changed_steps, "place")
        seen = f"Of the newest {found.looked_at} of {count_of(found.tape_count, 'tape')}"
        changed = f"{count_of(found.changed_tapes, 'tape')} would change, in {places}"
        return Answer(f"{seen}: {changed}.", values)

    def _tell_left_out(self, reasons: dict[str, int]) -> None:
        for why, count in reasons.items():
            self.tell(f"{count_of(count, 'tape')} left out: {why}")


def _read_spec(options: dict[str, Any]) -> TransformSpec:
    try:
        transforms = [json.loads(text) for text in options["transforms"]]
        return TransformSpec.model_validate({"q": options["query"], "transforms": transforms})
    except json.JSONDecodeError as error:
        raise InvalidInputError(f"A transform is not JSON: {error}.") from error
    except ValidationError as error:
        raise InvalidInputError(f"A transform is invalid: {first_reason(error)}.") from error
