"""Transform the tapes that match a query: children in a new batch, optionally previewed."""

import json
from typing import Any

from pydantic import ValidationError

from tapes_app.bulk.services.new_batch import undo_new_batch
from tapes_app.bulk.services.transform_jobs import (
    TRANSFORM_KIND,
    TransformRequest,
    start_transform,
)
from tapes_app.bulk.services.transforming import TransformSpec, preview
from tapes_app.engine.errors import InvalidInputError
from tapes_app.engine.tape.steps import first_reason
from tapes_app.management import jobs, named, output
from tapes_app.management.arguments import ANY_QUERY, NEW_BATCH, option
from tapes_app.management.command import Answer, StudioCommand
from tapes_app.projects.domain.wording import count_of
from tapes_app.projects.services.people import Person


class Command(StudioCommand):
    help = (
        "Create a changed child of each tape that matches a query, in a new batch. A transform "
        'is JSON as in the API: \'{"kind": "drop_steps", "step_kinds": '
        '["assistant_thought"]}\''
    )

    arguments = (
        option(
            "transforms", metavar="JSON", nargs="*", help="transforms, applied one after the other"
        ),
        option("--undo", metavar="JOB", help="remove the tapes of a transform"),
        ANY_QUERY,
        NEW_BATCH,
        option("--preview", action="store_true", help="show what would change"),
    )

    def work(self, person: Person, options: dict[str, Any]) -> Answer:
        if options["undo"]:
            return output.describe_discarded(
                undo_new_batch(
                    person, named.find_id(person, options["undo"], "job"), TRANSFORM_KIND
                )
            )
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
        job = jobs.finish(person, start_transform(person, request).id)
        if job.result is None:
            return Answer(job.message, {"error": {"message": job.message}}, is_done=False)
        self.print_skipped((one["why"], one["tape_count"]) for one in job.result["left_out"])
        made = f"{count_of(job.result['tapes'], 'tape')} created in {job.result['batch_name']!r}"
        unchanged = f"{job.result['unchanged']} unchanged"
        values = {**job.result, "undo": str(job.id)}
        return Answer(f"{made}; {unchanged}; undo with --undo {job.id}.", values)

    def _preview(self, person: Person, spec: TransformSpec) -> Answer:
        found = preview(person, spec)
        for sample in found.samples:
            self.print_line(
                f"{sample.tape_id}  {count_of(sample.change_count, 'change')}  {sample.title}"
            )
        self.print_skipped(found.left_out.items())
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


def _read_spec(options: dict[str, Any]) -> TransformSpec:
    try:
        transforms = [json.loads(text) for text in options["transforms"]]
        return TransformSpec.model_validate({"q": options["query"], "transforms": transforms})
    except json.JSONDecodeError as error:
        raise InvalidInputError(f"A transform is not JSON: {error}.") from error
    except ValidationError as error:
        raise InvalidInputError(f"A transform is invalid: {first_reason(error)}.") from error
