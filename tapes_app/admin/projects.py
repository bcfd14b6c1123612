"""Who may do what: edited here. Each change is in the audit log, which nobody edits."""

from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.models import DELETION, LogEntry
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.html import format_html

from tapes_app import models
from tapes_app.admin.confirming import Question, ask, is_confirmed
from tapes_app.admin.recorded import RecordedAdmin
from tapes_app.engine.errors import StudioError
from tapes_app.exchange.services.export_jobs import start_project_export
from tapes_app.projects.services.forgetting import count_rows, forget_project
from tapes_app.projects.services.people import Person


@admin.register(models.ProjectRecord)
class ProjectAdmin(admin.ModelAdmin[models.ProjectRecord]):
    list_display = ["name", "created_at", "archived_at"]
    search_fields = ["name"]
    actions: Any = ["export_projects", "forget_projects"]

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False  # to forget one says first what goes

    def has_export_permission(self, request: HttpRequest) -> bool:
        """Say who may export; Django asks by this name."""
        return request.user.has_perm("tapes_app.change_projectrecord")

    @admin.action(description="Export the selected projects", permissions=["export"])
    def export_projects(
        self, request: HttpRequest, chosen: QuerySet[models.ProjectRecord]
    ) -> TemplateResponse | None:
        if not is_confirmed(request):
            return ask(self, request, chosen, action="export_projects", question=_EXPORT)
        for project in chosen:
            job = start_project_export(_operator(request, project))
            self.log_change(request, project, f"Exported, by the job {job.id}.")
            page = reverse("admin:tapes_app_jobrecord_change", args=[job.id])
            said = format_html('{} is exported: <a href="{}">its job</a>.', project.name, page)
            self.message_user(request, said, messages.SUCCESS)
        return None

    def has_forget_permission(self, request: HttpRequest) -> bool:
        """Say who may forget; Django asks by this name."""
        return request.user.has_perm("tapes_app.delete_projectrecord")

    @admin.action(description="Forget the selected projects", permissions=["forget"])
    def forget_projects(
        self, request: HttpRequest, chosen: QuerySet[models.ProjectRecord]
    ) -> TemplateResponse | None:
        if not is_confirmed(request):
            return ask(self, request, chosen, action="forget_projects", question=_forget(chosen))
        for project in chosen:
            try:
                gone = forget_project(project.id)
            except StudioError as error:
                self.message_user(request, error.message, messages.ERROR)
                continue
            report = "; ".join(f"{title}: {count:,}" for title, count in gone)
            LogEntry.objects.log_actions(
                user_id=str(request.user.pk),
                queryset=[project],
                action_flag=DELETION,
                change_message=f"Forgotten, with {report}.",
            )
            self.message_user(request, f"{project.name} is forgotten: {report}.", messages.SUCCESS)
        return None


def _operator(request: HttpRequest, project: models.ProjectRecord) -> Person:
    """Return whoever asks as somebody of a project that they need not be in."""
    user = request.user
    return Person(int(str(user.pk)), user.get_username(), project.id, project.name, "owner")


_EXPORT = Question(
    title="Export projects",
    sentence=(
        "A job writes each of these projects into one file: all of its tapes with their LLM calls, "
        "how they are marked, its agents, datasets, annotations, rubrics and queues. Sweeps, "
        "trained models and keys of models are not in it; a backup has them too. The page of the "
        "job has the file for a day."
    ),
    button="Export",
    refusal="Go back",
)


def _forget(chosen: QuerySet[models.ProjectRecord]) -> Question:
    counts: dict[str, int] = {}
    for project in chosen:
        for title, count in count_rows(project.id):
            counts[title] = counts.get(title, 0) + count
    return Question(
        title="Forget projects",
        sentence=(
            "Everything in the chosen projects will be deleted for good, files too. This cannot be "
            "undone; a backup made before still has it."
        ),
        button="Forget for good",
        facts=[(title, f"{count:,}") for title, count in counts.items()],
    )


@admin.register(models.MembershipRecord)
class MembershipAdmin(admin.ModelAdmin[models.MembershipRecord]):
    list_display = ["user", "project", "role", "last_seen_at"]
    list_filter = ["role", "project"]
    list_select_related = ["user", "project"]
    search_fields = ["user__username", "project__name"]
    autocomplete_fields = ["user", "project"]
    readonly_fields = ["last_seen_at"]


@admin.register(models.AccessTokenRecord)
class AccessTokenAdmin(admin.ModelAdmin[models.AccessTokenRecord]):
    """Tokens are made by their persons; an operator sees them, and revokes them by deleting."""

    list_display = ["name", "owner", "project", "access", "hint", "expires_at", "last_used_at"]
    list_filter = ["access", "project"]
    list_select_related = ["owner", "project"]
    search_fields = ["name", "owner__username", "project__name"]
    exclude = ["digest"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(models.InvitationRecord)
class InvitationAdmin(admin.ModelAdmin[models.InvitationRecord]):
    """Invitations are made by owners; an operator sees them, and revokes them by deleting."""

    list_display = ["__str__", "project", "role", "owner", "created_at", "expires_at"]
    list_filter = ["role", "project"]
    list_select_related = ["owner", "project"]
    exclude = ["digest"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(models.IdentityRecord)
class IdentityAdmin(admin.ModelAdmin[models.IdentityRecord]):
    """Identities are made by signing in with the provider; deleting one ends that way in."""

    list_display = ["__str__", "user", "issuer", "subject", "created_at"]
    list_select_related = ["user"]
    search_fields = ["user__username", "subject"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(LogEntry)
class AuditLogAdmin(RecordedAdmin):
    """What people did on these pages: written by Django, changed by nobody."""

    grows = True
    list_display = ["action_time", "user", "content_type", "object_repr", "said"]
    list_beside = ("user", "content_type")
    ordering = ["-pk"]

    @admin.display(description="what")
    def said(self, record: LogEntry) -> str:
        verb = record.get_action_flag_display()
        return f"{verb}: {record.get_change_message()}"
