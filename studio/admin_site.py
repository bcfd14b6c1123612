"""The admin pages as the operator's desk: the state of the studio, and its tables by subject."""

from typing import Any

from django.contrib.admin import AdminSite
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.urls import reverse

from studio.desk import read_desk

SUBJECTS: dict[str, tuple[str, ...]] = {
    "Projects and people": (
        "ProjectRecord", "MembershipRecord", "InvitationRecord", "AccessTokenRecord", "User",
        "IdentityRecord", "Group", "AccessAttempt", "LogEntry",
    ),
    "Tapes": (
        "TapeRecord", "StepRecord", "BatchRecord", "DraftRecord", "TapeTagRecord",
        "TapeChangeRecord", "TapeWordsRecord", "LensRecord", "KindFamilyRecord",
    ),
    "Runs and jobs": (
        "JobRecord", "JobEventRecord", "BudgetRecord", "ExperimentRecord", "ExperimentBranchRecord",
        "DrainedWorkerRecord",
    ),
    "Agents and models": (
        "AgentRecord", "AgentVersionRecord", "AgentPublicationRecord", "AgentDraftRecord",
        "AgentDraftStateRecord", "ModelRecord",
    ),
    "LLM calls": ("LLMCallRecord", "CallTokensRecord", "PromptNodeRecord", "ContentRecord"),
    "Linter": ("LintRuleRecord", "DetectorOffRecord", "TapeLintRecord", "LintMarkRecord"),
    "Annotation": (
        "AnnotationRecord", "QueueRecord", "QueueItemRecord", "AnswerRecord", "QueueSkipRecord",
        "RubricRecord", "RubricVersionRecord",
    ),
    "Evaluation": (
        "DatasetRecord", "DatasetTapeRecord", "DatasetVersionRecord", "DatasetVersionTapeRecord",
        "RegressionTestRecord", "PinnedSuiteRecord", "SweptVersionRecord", "DatasetScorerRecord",
        "ScoringRecord", "ScoreRecord",
    ),
    "Training": (
        "TrainingSetRecord", "TrainingSetTapeRecord", "AdapterRecord", "ServedModelRecord",
    ),
}  # fmt: skip
"""Which tables are grouped together, in the order of the page; a test reports any missing one."""


class OperatorSite(AdminSite):
    """Django's admin with its own first page and the tables grouped by subject."""

    site_header = "Tape Studio"
    site_title = "Tape Studio"
    index_title = "Operator's desk"
    index_template = "admin/desk.html"

    def index(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> TemplateResponse:
        shown = {"desk": read_desk(), "may_operate": self.may_operate(request),
                 "may_prune": self.may_prune(request)}  # fmt: skip
        return super().index(request, {**(extra_context or {}), **shown})

    def may_operate(self, request: HttpRequest) -> bool:
        """Return whether a person may act on workers, as they may act on jobs."""
        return request.user.has_perm("tapes_app.change_jobrecord")

    def may_prune(self, request: HttpRequest) -> bool:
        """Return whether a person may remove old logs and drafts, as they may delete projects."""
        return request.user.has_perm("tapes_app.delete_projectrecord")

    def get_urls(self) -> list[Any]:
        from studio.desk_pages import list_addresses  # it needs the tables' admin pages

        return [*list_addresses(self), *super().get_urls()]

    def get_app_list(
        self, request: HttpRequest, app_label: str | None = None
    ) -> list[dict[str, Any]]:
        """Return the tables that the person may see, by subject."""
        if app_label is not None:
            return super().get_app_list(request, app_label)
        known = {
            model["object_name"]: model
            for app in self._build_app_dict(request).values()
            for model in app["models"]
        }
        return [
            {
                "name": subject,
                "app_label": subject.lower().replace(" ", "-"),
                "app_url": reverse("admin:index"),
                "has_module_perms": True,
                "models": models,
            }
            for subject, names in SUBJECTS.items()
            if (models := [known[name] for name in names if name in known])
        ]
