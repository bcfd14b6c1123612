"""Remove old event logs and old drafts, or print how much space they take."""

from dataclasses import asdict
from typing import Any

from studio.pruning import Ages, describe, measure, prune, read_age
from tapes_app.engine.errors import InvalidInputError
from tapes_app.management.arguments import option
from tapes_app.management.command import Answer, StudioCommand
from tapes_app.projects.domain.wording import count_of
from tapes_app.projects.services.people import Person

_KIB = 1024


class Command(StudioCommand):
    help = (
        "Remove event logs of jobs that ended long ago, and drafts not changed for a long time, "
        "in all projects. Tapes, calls and unfinished jobs stay."
    )

    arguments = (
        option("--events-older-than", metavar="AGE", help="such as 30d or 4w"),
        option("--drafts-older-than", metavar="AGE", help="such as 90d"),
        option("--dry-run", action="store_true", help="only print how much would be removed"),
    )

    def work(self, person: Person, options: dict[str, Any]) -> Answer:
        ages = Ages(
            events=_read(options["events_older_than"]), drafts=_read(options["drafts_older_than"])
        )
        if ages == Ages():
            raise InvalidInputError(
                "Give an age: --events-older-than 30d, --drafts-older-than 90d, or both."
            )
        if options["dry_run"]:
            found = measure(ages)
            summary = " and ".join(
                f"{count_of(amount.count, name[:-1])} ({amount.size_bytes / _KIB:,.0f} KiB)"
                for name, amount in found.items()
            )
            values = {name: asdict(amount) for name, amount in found.items()}
            return Answer(f"Would remove {summary}.", {"would_remove": values})
        pruned = prune(person.user_id, ages)
        values = {"removed": {"events": pruned.events, "drafts": pruned.drafts}}
        return Answer(f"Removed {describe(pruned, ages)}.", values)


def _read(text: str | None) -> int | None:
    return None if text is None else read_age(text)
