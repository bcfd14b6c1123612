"""Agents with their versions and drafts, and the models that they may use."""

from django.conf import settings
from django.db import models

from tapes_app.models.json_text import JsonTextField
from tapes_app.models.projects import NamedRecord, OwnedRecord


class AgentRecord(NamedRecord):
    """An agent by name; its versions hold its specs."""

    name = models.CharField(max_length=200)
    description = models.TextField(blank=True, default="")
    deleted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        db_table = "agent"
        verbose_name = "agent"
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["project", "name"], name="agent_name_once_per_project")
        ]


class AgentVersionRecord(OwnedRecord):
    """One spec of an agent, never changed; a trial becomes a version when its spec is saved."""

    agent = models.ForeignKey(AgentRecord, on_delete=models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField()
    """From 1; that of a trial is 0."""

    spec = JsonTextField()
    digest = models.CharField(max_length=32)
    note = models.TextField(blank=True, default="")
    """What it is about, by the person who saved it."""

    is_trial = models.BooleanField(default=False)
    """Stored because a draft was run; offered nowhere."""

    class Meta:
        db_table = "agent_version"
        verbose_name = "agent version"
        ordering = ["agent", "-number"]
        constraints = [
            models.UniqueConstraint(
                fields=["agent", "number"],
                condition=models.Q(is_trial=False),
                name="agent_version_number_once",
            ),
            models.UniqueConstraint(fields=["agent", "digest"], name="agent_version_digest_once"),
        ]

    def __str__(self) -> str:
        return f"{self.agent} (trial)" if self.is_trial else f"{self.agent} v{self.number}"


class AgentDraftRecord(models.Model):
    """The draft of an agent, which the people of its project share.

    The row stays when the draft is discarded or saved, so that its revision never goes back.
    """

    agent = models.OneToOneField(
        AgentRecord, on_delete=models.CASCADE, primary_key=True, related_name="draft"
    )
    base = models.ForeignKey(AgentVersionRecord, on_delete=models.PROTECT, related_name="+")
    revision = models.PositiveIntegerField(default=0)
    current = models.PositiveIntegerField(default=0)
    """The number of the state that is shown; 0: there is no draft."""

    changed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        db_table = "agent_draft"
        verbose_name = "draft of an agent"
        verbose_name_plural = "drafts of agents"

    def __str__(self) -> str:
        return f"draft of {self.agent}"


class AgentDraftStateRecord(models.Model):
    """One state of a draft: undo shows the one before, redo the one after."""

    draft = models.ForeignKey(
        AgentDraftRecord, on_delete=models.CASCADE, related_name="states", db_index=False
    )
    number = models.PositiveIntegerField()
    spec = JsonTextField()
    size = models.PositiveIntegerField()
    """Characters of the spec as JSON."""

    class Meta:
        db_table = "agent_draft_state"
        verbose_name = "state of a draft"
        verbose_name_plural = "states of drafts"
        ordering = ["draft", "number"]
        constraints = [
            models.UniqueConstraint(fields=["draft", "number"], name="agent_draft_state_once")
        ]

    def __str__(self) -> str:
        return f"state {self.number} of the {self.draft}"


class AgentPublicationRecord(OwnedRecord):
    """The publication of a version; an agent's newest row is the current one."""

    agent = models.ForeignKey(
        AgentRecord, on_delete=models.PROTECT, related_name="publications", db_index=False
    )
    version = models.ForeignKey(AgentVersionRecord, on_delete=models.PROTECT, related_name="+")
    despite = models.TextField(blank=True, default="")
    """What had not passed when an owner published it anyway; empty: nothing was open."""

    class Meta:
        db_table = "agent_publication"
        verbose_name = "publication of an agent"
        verbose_name_plural = "publications of agents"
        indexes = [models.Index(fields=["agent", "-created_at", "-id"], name="publication_newest")]

    def __str__(self) -> str:
        return f"publication of {self.version}"


class ModelRecord(NamedRecord):
    """A model that can be called: a litellm id or an OpenAI-compatible endpoint.

    The key is named by its environment variable or stored encrypted; it is never returned. Prices
    are micro US dollars per million tokens (= US dollars x 10^6 / 10^6 tokens). A null limit means
    the default in `llms.model_config.ModelConfig`.
    """

    name = models.CharField(max_length=200)
    litellm_model = models.CharField(max_length=300)
    base_url = models.URLField(max_length=500, blank=True, default="")
    api_key_env = models.CharField(max_length=100, blank=True, default="")
    api_key_encrypted = models.BinaryField(blank=True, default=b"")
    key_retired_at = models.DateTimeField(null=True, blank=True)
    """Since when it waits for a new key, because an operator retired its key."""

    parameters = JsonTextField(default=dict, blank=True)
    input_price = models.BigIntegerField(null=True, blank=True)
    cache_read_price = models.BigIntegerField(null=True, blank=True)
    cache_write_price = models.BigIntegerField(null=True, blank=True)
    output_price = models.BigIntegerField(null=True, blank=True)
    silence_seconds = models.FloatField(null=True, blank=True)
    deadline_seconds = models.FloatField(null=True, blank=True)
    max_attempts = models.PositiveSmallIntegerField(null=True, blank=True)
    limited_until = models.DateTimeField(null=True, blank=True, editable=False)
    """Until when workers do not call its provider, because it reported to one of them that its rate
    limit is reached."""

    record_tokens = models.BooleanField(default=False)
    is_served_here = models.BooleanField(default=False)
    """The studio serves it: its address and key are those of one of the studio's servers."""

    deleted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        db_table = "model"
        verbose_name = "LLM model"
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(
                fields=["project", "name"],
                condition=models.Q(deleted_at__isnull=True),
                name="model_name_once_per_project",
            )
        ]
