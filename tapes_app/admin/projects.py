"""Permissions: edited here. Each change is in the audit log, which nobody can edit."""

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
from tapes_app.admin.recorded import DeleteOnlyAdmin, RecordedAdmin
from tapes_app.engine.errors import StudioError
from tapes_app.exchange.services.export_jobs import start_project_export
from tapes_app.projects.services.forgetting import forget_project
from tapes_app.projects.services.people import Person
from tapes_app.projects.store.forgetting import count_rows


@admin.register(models.ProjectRecord)
class ProjectAdmin(admin.ModelAdmin[models.ProjectRecord]):
    list_display = ["name", "created_at", "archived_at"]
    search_fields = ["name"]
    actions: Any = ["export_projects", "forget_projects"]

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False  # forgetting a project first shows what will be removed

    def has_export_permission(self, request: HttpRequest) -> bool:
        """Return whether the user may export; Django looks up this name."""
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
            message = format_html('{} is exported: <a href="{}">its job</a>.', project.name, page)
            self.message_user(request, message, messages.SUCCESS)
        return None

    def has_forget_permission(self, request: HttpRequest) -> bool:
        """Return whether the user may forget projects; Django looks up this name."""
        return request.user.has_perm("tapes_app.delete_projectrecord")

    @admin.action(description="Forget the selected projects", permissions=["forget"])
    def forget_projects(
        self, request: HttpRequest, chosen: QuerySet[models.ProjectRecord]
    ) -> TemplateResponse | None:
        if not is_confirmed(request):
            return ask(self, request, chosen, action="forget_projects", question=_forget(chosen))
        for project in chosen:
            try:
                forgotten = forget_project(project.id)
            except StudioError as error:
                self.message_user(request, error.message, messages.ERROR)
                continue
            report = "; ".join(f"{title}: {count:,}" for title, count in forgotten)
            LogEntry.objects.log_actions(
                user_id=str(request.user.pk),
                queryset=[project],
                action_flag=DELETION,
                change_message=f"Forgotten, with {report}.",
            )
            self.message_user(request, f"{project.name} is forgotten: {report}.", messages.SUCCESS)
        return None


def _operator(request: HttpRequest, project: models.ProjectRecord) -> Person:
    """Return the user as a person of the project, who need not be a member of it."""
    user = request.user
    return Person(int(str(user.pk)), user.get_username(), project.id, project.name, "owner")


_EXPORT = Question(
    title="Export projects",
    sentence=(
        "A job writes each of these projects to one file: all of its tapes with their LLM calls "
        "and marks, its agents, datasets, annotations, rubrics and queues. Sweeps, trained models "
        "and model keys are not included; a backup contains them too. The page of the job offers "
        "the file for a day."
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
            "Everything in the selected projects will be deleted for good, including files. This "
            "cannot be undone; backups made earlier still contain it."
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
class AccessTokenAdmin(DeleteOnlyAdmin):
    """Tokens are created by their owners; an operator sees them, and revokes them by deleting."""

    list_display = ["name", "owner", "project", "access", "hint", "expires_at", "last_used_at"]
    list_filter = ["access", "project"]
    list_select_related = ["owner", "project"]
    search_fields = ["name", "owner__username", "project__name"]
    exclude = ["digest"]


@admin.register(models.InvitationRecord)
class InvitationAdmin(DeleteOnlyAdmin):
    """Invitations are created by owners; an operator sees them, and revokes them by deleting."""

    list_display = ["__str__", "project", "role", "owner", "created_at", "expires_at"]
    list_filter = ["role", "project"]
    list_select_related = ["owner", "project"]
    exclude = ["digest"]


@admin.register(models.IdentityRecord)
class IdentityAdmin(DeleteOnlyAdmin):
    """Identities are created by signing in with a provider; deleting one disables that sign-in."""

    list_display = ["__str__", "user", "issuer", "subject", "created_at"]
    list_select_related = ["user"]
    search_fields = ["user__username", "subject"]


@admin.register(LogEntry)
class AuditLogAdmin(RecordedAdmin):
    """What people did on these pages: written by Django, read-only."""

    grows = True
    list_display = ["action_time", "user", "content_type", "object_repr", "message"]
    prefetch_in_list = ("user", "content_type")
    ordering = ["-pk"]

    @admin.display(description="what")
    def message(self, record: LogEntry) -> str:
        verb = record.get_action_flag_display()
        return f"{verb}: {record.get_change_message()}"
