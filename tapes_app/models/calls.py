"""LLM calls. Prompts are paths in a tree of messages, so a shared history is stored once.

A run of n calls that each repeat the full history costs n rows, not n squared (ADR 1).
"""

from django.db import models

from tapes_app.models.json_text import JsonTextField
from tapes_app.models.projects import OwnedRecord


class ContentRecord(models.Model):
    """Any JSON value, stored once by its digest: a message, a tool list, parameters."""

    digest = models.BinaryField(max_length=16, primary_key=True)
    body = JsonTextField()

    class Meta:
        db_table = "content"
        verbose_name = "stored message"

    def __str__(self) -> str:
        return bytes(self.digest).hex()


class PromptNodeRecord(models.Model):
    """One message of a prompt after the messages of its parent; a prompt is its last node."""

    digest = models.BinaryField(max_length=16, primary_key=True)
    """BLAKE2b of the parent's digest and the message's digest: identifies the entire path.

    As the key, it is known before the row exists, so a path is written without reading.
    """

    parent = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, related_name="+", db_index=False
    )
    message = models.ForeignKey(
        ContentRecord, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    depth = models.PositiveIntegerField()
    """How many messages the path has."""

    class Meta:
        db_table = "prompt_node"
        verbose_name = "prompt node"

    def __str__(self) -> str:
        return f"prompt of {self.depth} messages"


class LLMCallRecord(OwnedRecord):
    """One exchange with a model. `prompt_id` is not unique: ids repeat within and across files."""

    prompt_id = models.CharField(max_length=100)
    prompt_node = models.ForeignKey(
        PromptNodeRecord, on_delete=models.PROTECT, null=True, related_name="+", db_index=False
    )
    prompt_digest = models.CharField(max_length=32)
    """Digest of messages, tools and response format: what a recorded LLM looks up."""

    settings = models.ForeignKey(
        ContentRecord, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    """Tools, response format and other prompt keys, deduplicated."""

    llm = models.ForeignKey(
        ContentRecord, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    """The LLM's description of itself, deduplicated."""

    model_name = models.CharField(max_length=300, blank=True, default="")
    output = JsonTextField()
    input_tokens = models.IntegerField(null=True)
    cache_read_tokens = models.IntegerField(null=True)
    cache_write_tokens = models.IntegerField(null=True)
    output_tokens = models.IntegerField(null=True)
    reasoning_tokens = models.IntegerField(null=True)
    is_estimate = models.BooleanField(null=True)
    """The counts were made here. Null means no, so that SQLite adds it without copying the
    table."""

    cost_micro_usd = models.BigIntegerField(null=True)
    started_at = models.DateTimeField(null=True)
    duration_seconds = models.FloatField(null=True)
    first_token_seconds = models.FloatField(null=True)
    finish_reason = models.CharField(max_length=50, blank=True, default="")
    is_cached = models.BooleanField(default=False)
    error = models.TextField(blank=True, default="")
    source = JsonTextField(null=True)
    """The imported row, if this schema cannot hold it exactly (naive times, -1 counts)."""

    exact = JsonTextField(null=True)
    """Values that do not fit their columns as they are: too long, too big, not text."""

    tape = models.ForeignKey(
        "tapes_app.TapeRecord", on_delete=models.PROTECT, null=True, related_name="made_calls"
    )
    """The tape that it was made for; used to find calls that ended without a step."""

    batch = models.ForeignKey(
        "tapes_app.BatchRecord",
        on_delete=models.PROTECT,
        null=True,
        related_name="llm_calls",
    )
    import_part = models.UUIDField(null=True, editable=False)
    """As in `TapeRecord`."""

    class Meta:
        db_table = "llm_call"
        verbose_name = "LLM call"
        indexes = [
            models.Index(fields=["project", "prompt_id"], name="llm_call_by_prompt"),
            models.Index(fields=["project", "prompt_digest"], name="llm_call_by_digest"),
        ]

    def __str__(self) -> str:
        return f"call {self.prompt_id}"


class CallTokensRecord(models.Model):
    """The tokens of a call, stored separately: few calls have them, and they are rarely read."""

    call = models.OneToOneField(
        LLMCallRecord, on_delete=models.CASCADE, primary_key=True, related_name="+"
    )
    packed = models.BinaryField()
    """`CallTokens` as JSON, compressed: about two bytes per id."""

    class Meta:
        db_table = "llm_call_tokens"
        verbose_name = "tokens of an LLM call"
        verbose_name_plural = "tokens of LLM calls"

    def __str__(self) -> str:
        return f"tokens of call {self.call_id}"
