"""People's labels of attempts: whether each passes; and the lengths of the answers."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import Any
from uuid import UUID

from django.db.models.functions import Length

from tapes_app.models import AnnotationRecord, AnswerRecord, TapeRecord

_PAGE = 500


def read_labels(tape_ids: Collection[UUID], names: Collection[str]) -> dict[UUID, float]:
    """Return the share of people who let each tape pass, among scores of these names."""
    labels = defaultdict[UUID, list[float]](list)
    for page in _pages(tape_ids):
        rows = AnnotationRecord.objects.filter(
            tape_id__in=page, step__isnull=True, kind="score", source="person", name__in=names,
            value__in=(0.0, 1.0), deleted_at__isnull=True,
        )  # fmt: skip
        for tape_id, value in rows.order_by().values_list("tape_id", "value"):
            if value is not None:
                labels[tape_id].append(value)
    return {tape_id: sum(values) / len(values) for tape_id, values in labels.items()}


def read_preferences(partners: Mapping[UUID, UUID]) -> dict[UUID, float]:
    """Return the share of people that prefer each tape to its partner, in queues of pairs.

    A person who prefers neither is not counted.
    """
    labels = defaultdict[UUID, list[float]](list)
    both = {(one, other) for one, other in partners.items()}
    for page in _pages({*partners, *partners.values()}):
        answers = AnswerRecord.objects.filter(
            item__tape_id__in=page, item__other_tape__isnull=False, answered_at__isnull=False,
        )  # fmt: skip
        columns = (
            "item__tape_id",
            "item__other_tape_id",
            "queue__rubric_version__definition",
            "values",
        )
        for left, right, rubric, values in answers.order_by().values_list(*columns):
            chosen = _preferred(rubric, values)
            if chosen is not None and (left, right) in both:
                labels[left].append(float(chosen == "left"))
            elif chosen is not None and (right, left) in both:
                labels[right].append(float(chosen == "right"))
    return {tape_id: sum(values) / len(values) for tape_id, values in labels.items()}


def _preferred(rubric: Any, values: Mapping[str, Any]) -> str | None:
    """Return `left` or `right`: somebody's answer to the first question about which is better."""
    keys = [item["key"] for item in rubric["items"] if item["kind"] == "preference"]
    answer = values.get(keys[0]) if keys else None
    return answer if answer in {"left", "right"} else None


def read_lengths(tape_ids: Collection[UUID]) -> dict[UUID, int]:
    """Return the length in characters of each tape's answer."""
    found: dict[UUID, int] = {}
    for page in _pages(tape_ids):
        tapes = TapeRecord.objects.filter(id__in=page).annotate(length=Length("actual"))
        found |= dict(tapes.order_by().values_list("id", "length"))
    return found


def _pages(ids: Collection[UUID]) -> list[list[UUID]]:
    listed = list(ids)
    return [listed[start : start + _PAGE] for start in range(0, len(listed), _PAGE)]
