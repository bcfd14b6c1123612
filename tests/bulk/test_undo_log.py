"""The undo log: what was kept before it was one log can still be taken back."""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

import pytest
from django.db import connection
from django.db.migrations.state import StateApps
from django.test import Client

from tapes_app.bulk.store.tags import change_tags
from tapes_app.library.store.plans import TapeFilter
from tapes_app.models import TapeChangeRecord, TapeTagRecord
from tests.http.asking import call
from tests.http.worlds import World
from tests.studio.levels import one_by_one

pytestmark = pytest.mark.django_db(transaction=True)


@contextmanager
def migrated_from(name: str) -> Iterator[StateApps]:
    """Go back to the tables of a migration, and forward again afterwards."""
    # Those of all apps: what stands on these tables goes back with them.
    newest = one_by_one(connection).loader.graph.leaf_nodes()
    place = [("tapes_app", name)]
    try:
        one_by_one(connection).migrate(place)
        yield one_by_one(connection).loader.project_state(place).apps
    finally:
        one_by_one(connection).migrate(newest)


def test_a_change_of_tags_made_before_the_logs_were_joined_is_taken_back(
    studio: Client, world: World
) -> None:
    where = TapeFilter(ids=(world.tape,))
    changed = change_tags(world.project, where, add=["new"], remove=["seen"], owner=None)
    assert changed.id is not None
    created_at = TapeChangeRecord.objects.get(id=changed.id).created_at
    TapeChangeRecord.objects.all().delete()
    with migrated_from("0018_datasets") as old:
        records = old.get_model("tapes_app", "TagChangeRecord").objects
        ids = [world.tape.hex]
        records.create(
            id=changed.id, project_id=world.project, added={"new": ids}, removed={"seen": ids}
        )
        records.update(created_at=created_at)

    assert TapeChangeRecord.objects.get(id=changed.id).created_at == created_at
    assert call(studio, "POST", f"tapes/tags/{changed.id}/undo") == {"tape_count": 1}
    assert names_on(world.tape) == ["seen"]


def names_on(tape_id: UUID) -> list[str]:
    return list(TapeTagRecord.objects.filter(tape_id=tape_id).values_list("name", flat=True))
