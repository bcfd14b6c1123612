"""Admin pages: tables can be read, recorded data cannot be changed, keys are not shown."""

import re

import django
import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.db import models
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone

from studio.admin_site import SUBJECTS
from tapes_app import models as tables
from tapes_app.admin.recorded import list_address
from tapes_app.jobs.store.job import create_job
from tests.http.worlds import fill_project

pytestmark = pytest.mark.django_db

ALL = list(apps.get_app_config("tapes_app").get_models())
RECORDED = [m for m in ALL if m not in {tables.ProjectRecord, tables.MembershipRecord}]
GROWING = [
    tables.TapeRecord, tables.StepRecord, tables.LLMCallRecord, tables.JobRecord,
    tables.JobEventRecord, tables.TapeWordsRecord, tables.TapeTagRecord, tables.AnnotationRecord,
    tables.ContentRecord, tables.PromptNodeRecord, tables.CallTokensRecord, tables.TapeLintRecord,
    tables.LintMarkRecord, tables.QueueItemRecord, tables.AnswerRecord,
    tables.ExperimentBranchRecord, tables.DatasetTapeRecord,
]  # fmt: skip
"""Tables that may grow to millions of rows."""


@pytest.fixture
def staff(client: Client) -> Client:
    user = User.objects.create_superuser("root", password="x")
    client.force_login(user)
    return client


@pytest.fixture
def project() -> tables.ProjectRecord:
    return tables.ProjectRecord.objects.create(name="Admin test")


def address(model: type[models.Model], page: str, *args: object) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}", args=args)


@pytest.mark.parametrize("model", ALL)
def test_every_table_has_a_list_that_searches(staff: Client, model: type[models.Model]) -> None:
    assert staff.get(address(model, "changelist")).status_code == 200
    assert staff.get(address(model, "changelist"), {"q": "word"}).status_code == 200


@pytest.mark.parametrize("model", RECORDED)
def test_recorded_data_is_not_added_in_the_admin(staff: Client, model: type[models.Model]) -> None:
    assert staff.get(address(model, "add")).status_code == 403


def test_a_step_is_shown_and_not_changed(staff: Client, project: tables.ProjectRecord) -> None:
    tape = tables.TapeRecord.objects.create(project=project)
    body = {"kind": "user", "content": "half \ud800 <script>alert(1)</script>"}
    step = tables.StepRecord.objects.create(
        log=tape, position=0, kind="user", family="observation", writer="person", body=body
    )
    page = address(tables.StepRecord, "change", step.pk)

    shown = staff.get(page)
    changed = staff.post(page, {"kind": "other"})
    deleted = staff.post(address(tables.StepRecord, "delete", step.pk), {"post": "yes"})

    assert shown.status_code == 200
    assert "\\ud800" in shown.content.decode()
    assert "<script>alert" not in shown.content.decode()
    assert changed.status_code == 403
    assert deleted.status_code == 403
    step.refresh_from_db()
    assert step.kind == "user"


def test_a_models_key_is_not_shown(staff: Client, project: tables.ProjectRecord) -> None:
    model = tables.ModelRecord.objects.create(
        project=project, name="m", litellm_model="x/y", api_key_encrypted=b"sealed-bytes"
    )

    page = staff.get(address(tables.ModelRecord, "change", model.pk)).content.decode()
    listing = staff.get(address(tables.ModelRecord, "changelist")).content.decode()

    assert "x/y" in page
    assert "sealed" not in page + listing
    assert "api_key_encrypted" not in page


def test_keys_of_models_are_retired_after_a_question(
    staff: Client, project: tables.ProjectRecord
) -> None:
    kept, shared = (
        tables.ModelRecord.objects.create(project=project, name=name, litellm_model="x/y", **key)
        for name, key in (
            ("kept", {"api_key_encrypted": b"sealed"}),
            ("shared", {"api_key_env": "SHARED_KEY"}),
        )
    )
    listing = address(tables.ModelRecord, "changelist")
    chosen = {"action": "retire_keys", "_selected_action": [str(kept.id), str(shared.id)]}

    asked = staff.post(listing, chosen).content.decode()
    kept.refresh_from_db()
    before = bytes(kept.api_key_encrypted)
    done = staff.post(listing, {**chosen, "confirmed": "1"}, follow=True).content.decode()
    kept.refresh_from_db()
    shared.refresh_from_db()

    assert "refused until they are given new ones" in asked
    assert before == b"sealed"
    assert (bytes(kept.api_key_encrypted), shared.api_key_env) == (b"", "")
    assert kept.key_retired_at is not None
    assert "it reads the variable SHARED_KEY no longer" in done
    assert LogEntry.objects.count() == 2


def test_jobs_are_cancelled_and_queued_again(staff: Client, project: tables.ProjectRecord) -> None:
    job = create_job(project.id, "run", request={})
    listing = address(tables.JobRecord, "changelist")

    asked = staff.post(listing, {"action": "cancel_jobs", "_selected_action": [str(job.id)]})
    untouched = tables.JobRecord.objects.get(id=job.id)
    confirmed = {"_selected_action": [str(job.id)], "confirmed": "1"}
    staff.post(listing, {"action": "cancel_jobs", **confirmed})
    cancelled = tables.JobRecord.objects.get(id=job.id)
    staff.post(listing, {"action": "requeue_jobs", **confirmed})
    queued = tables.JobRecord.objects.get(id=job.id)

    assert "These jobs end" in asked.content.decode()
    assert untouched.state == "queued"
    assert (cancelled.state, cancelled.cancelled_by) == ("cancelled", "root")
    assert queued.state == "queued"


def test_what_was_done_by_hand_is_in_a_log_that_nobody_edits(
    staff: Client, project: tables.ProjectRecord
) -> None:
    job = create_job(project.id, "run", request={})
    sent = {"action": "cancel_jobs", "_selected_action": [str(job.id)], "confirmed": "1"}
    staff.post(address(tables.JobRecord, "changelist"), sent)
    entry = LogEntry.objects.get(object_id=str(job.id))

    listed = staff.get(address(LogEntry, "changelist")).content.decode()

    assert "Cancelled by hand; it was queued." in listed
    assert "root" in listed
    for page in ("change", "delete"):
        asked = {"post": "yes", "object_repr": "nothing"}
        assert staff.post(address(LogEntry, page, entry.pk), asked).status_code == 403
    assert staff.get(address(LogEntry, "add")).status_code == 403
    assert LogEntry.objects.count() == 1


def test_every_table_stands_under_one_subject(staff: Client) -> None:
    placed = [name for names in SUBJECTS.values() for name in names]
    registered = {model.__name__ for model in admin.site._registry}

    page = staff.get("/admin/").content.decode()

    assert sorted(placed) == sorted(set(placed))
    assert registered == set(placed)
    assert {model.__name__ for model in ALL} <= registered
    headings = re.findall(r'class="app-([\w-]+) module', page)
    assert headings == [subject.lower().replace(" ", "-") for subject in SUBJECTS]


@pytest.mark.parametrize("model", sorted(admin.site._registry, key=str))
def test_titles_are_words_in_sentence_case(model: type[models.Model]) -> None:
    one, many = str(model._meta.verbose_name), str(model._meta.verbose_name_plural)

    assert "record" not in one.lower()
    for title in (one, many):
        words = title.split()
        assert all(word.islower() or word == "LLM" for word in words), title
    assert many == plural_of(one), many


def plural_of(title: str) -> str:
    """Return the plural by a few rules: of the words before "of", or of both nouns."""
    noun, turned, so = title.partition(" turned ")
    if turned:
        return f"{plural_of(noun)} turned {so}"
    head, of, rest = title.partition(" of ")
    if of:
        article, _, noun = rest.partition(" ")
        kept = head if head in {"words", "tokens"} else plural_of(head)
        return f"{kept} of {plural_of(noun) if article in {'a', 'an'} else rest}"
    if title.endswith("y") and not title.endswith(("ay", "ey")):
        return f"{title[:-1]}ies"
    return f"{title}es" if title.endswith(("s", "x", "ch", "sh")) else f"{title}s"


@pytest.mark.parametrize("model", GROWING)
def test_large_tables_are_searched_and_narrowed_by_indexes_alone(
    model: type[models.Model], rf: RequestFactory
) -> None:
    page = admin.site._registry[model]
    heads = indexed_heads(model)

    for field in page.search_fields:
        assert field.startswith("="), field
        assert field.removeprefix("=").removesuffix("__id") in heads, field
    for narrowing in page.list_filter:
        assert str(narrowing) in heads, narrowing
    order = page.get_ordering(rf.get("/"))
    assert str(order[0]).removeprefix("-") in {*heads, "pk"}
    assert not page.get_sortable_by(rf.get("/"))
    assert not page.get_list_select_related(rf.get("/"))
    assert page.show_full_result_count is False


@pytest.mark.parametrize("model", GROWING)
def test_a_narrowed_list_has_the_order_of_an_index(model: type[models.Model]) -> None:
    page = admin.site._registry[model]

    for link, order in page.orders_within.items():  # type: ignore[attr-defined]
        asked = [link, *(name.removeprefix("-") for name in order)]
        assert any(names[: len(asked)] == asked for names in indexed(model)), asked


def test_a_search_for_a_dataset_goes_through_its_tapes_as_the_index_has_them(
    staff: Client, project: tables.ProjectRecord
) -> None:
    dataset = tables.DatasetRecord.objects.create(project=project, name="Many")
    tapes = [tables.TapeRecord.objects.create(project=project) for _ in range(3)]
    for tape in tapes:
        tables.DatasetTapeRecord.objects.create(dataset=dataset, tape=tape)

    page = staff.get(address(tables.DatasetTapeRecord, "changelist"), {"q": str(dataset.id)})

    shown = [row.tape_id for row in page.context["cl"].result_list]
    assert shown == sorted(tape.id for tape in tapes)


def test_a_large_table_is_searched_by_whole_ids(
    staff: Client, project: tables.ProjectRecord
) -> None:
    world = fill_project(project.id, User.objects.get(username="root").pk)
    other = tables.TapeRecord.objects.create(project=project)
    step = tables.StepRecord.objects.filter(log=world.tape, llm_call__isnull=False)[0]

    def count(model: type[models.Model], text: object) -> int:
        page = staff.get(address(model, "changelist"), {"q": str(text)})
        return int(page.context["cl"].queryset.count())

    assert count(tables.TapeRecord, world.tape) == 1
    assert count(tables.TapeRecord, f" {other.id.hex} ") == 1
    assert count(tables.StepRecord, world.tape) > 1
    assert count(tables.StepRecord, step.llm_call_id) >= 1
    assert count(tables.StepRecord, other.id) == 0
    assert count(tables.JobRecord, "no id") == 0


def indexed_heads(model: type[models.Model]) -> set[str]:
    """Return the fields from which an index of a table can start."""
    fields = model._meta.fields
    own = {
        one.name
        for one in fields
        if one.primary_key or one.unique or getattr(one, "db_index", False)
    }
    return own | {names[0] for names in indexed(model)}


def indexed(model: type[models.Model]) -> list[list[str]]:
    """Return the fields of each index of a table in their order."""
    unique = [one for one in model._meta.constraints if isinstance(one, models.UniqueConstraint)]
    return [
        [name.removeprefix("-") for name in one.fields]
        for one in [*model._meta.indexes, *unique]
        if one.fields
    ]


def test_a_tape_leads_to_its_runs_steps_and_calls_and_those_back(
    staff: Client, project: tables.ProjectRecord
) -> None:
    world = fill_project(project.id, User.objects.get(username="root").pk)
    tape = staff.get(address(tables.TapeRecord, "change", world.tape)).content.decode()
    follow = re.findall(r'href="([^"]+__exact=[^"]+)"', tape)
    pages = {path.split("/")[3]: staff.get(path.replace("&amp;", "&")) for path in follow}
    step = tables.StepRecord.objects.filter(log=world.tape, llm_call__isnull=False)[0]
    shown = staff.get(address(tables.StepRecord, "change", step.pk)).content.decode()
    of_call = staff.get(list_address(tables.StepRecord, "llm_call", step.llm_call_id))

    assert {page.status_code for page in pages.values()} == {200}
    assert {"jobrecord", "steprecord", "llmcallrecord"} <= set(pages)
    assert (
        address(tables.AgentVersionRecord, "change", world.version)
        in staff.get(address(tables.JobRecord, "changelist")).content.decode() + tape
    )
    assert address(tables.LLMCallRecord, "change", step.llm_call_id) in shown
    listed = of_call.context["cl"].result_list
    assert step in listed
    assert {one.llm_call_id for one in listed} == {step.llm_call_id}
    assert address(tables.TapeRecord, "change", world.tape) in shown


def test_every_link_to_rows_that_name_a_record_is_answered(staff: Client) -> None:
    links = [
        list_address(one.model, one.field, "00000000-0000-4000-8000-000000000000")
        for page in admin.site._registry.values()
        for one in getattr(page, "related", ())
    ]

    assert len(links) > 20
    for link in links:
        assert staff.get(link).status_code == 200, link


def test_lists_say_ids_costs_and_times_in_few_characters(
    staff: Client, project: tables.ProjectRecord
) -> None:
    fill_project(project.id, User.objects.get(username="root").pk)
    prompt_id = "0b619efd-7e9c-416c-9ced-7d665710c53f"
    calls = tables.LLMCallRecord.objects.filter(prompt_id="prompt-0")
    calls.update(prompt_id=prompt_id, cost_micro_usd=1_234, duration_seconds=0.458834000255)

    page = staff.get(address(tables.LLMCallRecord, "changelist")).content.decode()
    record = staff.get(
        address(tables.StepRecord, "change", tables.StepRecord.objects.all()[1].pk)
    ).content.decode()
    tables.LLMCallRecord.objects.update(cost_micro_usd=None)
    unpriced = staff.get(address(tables.LLMCallRecord, "changelist")).content.decode()

    assert f'title="{prompt_id}">0b619efd<' in page
    assert 'title="prompt-1">prompt-1<' in page
    assert "$0.001234" in page
    assert "0.459 s" in page
    assert ">unknown<" in unpriced
    assert "LLM call:" in record


def test_the_desk_says_how_the_studio_is(staff: Client, project: tables.ProjectRecord) -> None:
    create_job(project.id, "run", request={})
    failed = create_job(project.id, "import", request={})
    tables.JobRecord.objects.filter(id=failed.id).update(
        state="failed",
        error_code="file_broken",
        message="<b>The file ends early.</b>",
        finished_at=timezone.now(),
    )

    page = staff.get("/admin/").content.decode()

    assert "no worker listens to agents, serve, train" in page
    assert "file_broken" in page
    assert "&lt;b&gt;The file ends early." in page
    assert re.search(r"agents</a></th>\s*<td class=\"number\">1</td>", page)
    assert "Free on the disk" in page
    assert page.count('<span class="quiet">Table</span>') == 10
    assert django.get_version() in page


def test_the_list_of_steps_takes_the_same_queries_however_many_there_are(
    staff: Client,
    project: tables.ProjectRecord,
    django_assert_max_num_queries: object,
) -> None:
    tape = tables.TapeRecord.objects.create(project=project)
    tables.StepRecord.objects.bulk_create(
        tables.StepRecord(
            log=tape, position=n, kind="user", family="thought", writer="agent", body={}
        )
        for n in range(60)
    )

    with django_assert_max_num_queries(8):  # type: ignore[operator]
        staff.get(address(tables.StepRecord, "changelist"))
