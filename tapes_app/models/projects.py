"""Projects and who may do what in them."""

import uuid

from django.conf import settings
from django.db import models


class ProjectRecord(models.Model):
    """What every other row belongs to; for a person, rows of other projects do not exist."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=200, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)
    archived_at = models.DateTimeField(null=True, blank=True)
    """Since when it is read-only and in no menu; `None`: it is not archived."""

    class Meta:
        db_table = "project"
        verbose_name = "project"
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class MembershipRecord(models.Model):
    """A person's role in a project: owners administer, members write, viewers read."""

    class Role(models.TextChoices):
        OWNER = "owner"
        MEMBER = "member"
        VIEWER = "viewer"

    project = models.ForeignKey(ProjectRecord, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships"
    )
    role = models.CharField(max_length=10, choices=Role.choices, default=Role.MEMBER)
    last_seen_at = models.DateTimeField(null=True, blank=True)
    """When the person last made a request in the project, accurate to a minute."""

    class Meta:
        db_table = "membership"
        verbose_name = "membership"
        constraints = [
            models.UniqueConstraint(fields=["project", "user"], name="one_role_per_project")
        ]

    def __str__(self) -> str:
        return f"{self.user} is {self.role} of {self.project}"


class IdentityRecord(models.Model):
    """A person as known to an OpenID provider: by a subject, which is never reassigned."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="identities"
    )
    issuer = models.CharField(max_length=300)
    subject = models.CharField(max_length=255)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        db_table = "identity"
        verbose_name = "identity"
        verbose_name_plural = "identities"
        constraints = [
            models.UniqueConstraint(fields=["issuer", "subject"], name="one_person_per_subject"),
            models.UniqueConstraint(fields=["user", "issuer"], name="one_subject_per_person"),
        ]

    def __str__(self) -> str:
        return f"{self.user} at {self.issuer}"


class OwnedRecord(models.Model):
    """Base of every row that belongs to a project and records its creator."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    # No single-column indexes on these: every list has its own index, starting with the project.
    project = models.ForeignKey(
        ProjectRecord, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="+",
        null=True,
        blank=True,
        db_index=False,
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        abstract = True


class NamedRecord(OwnedRecord):
    """Base of rows that people know by a name."""

    name: "models.CharField[str, str]"

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.name


class AccessTokenRecord(NamedRecord):
    """A token for a script to act as its owner, in one project; the token itself is not stored."""

    class Access(models.TextChoices):
        READ = "read"
        WRITE = "write"

    name = models.CharField(max_length=100)
    access = models.CharField(max_length=5, choices=Access.choices)
    digest = models.CharField(max_length=64, unique=True)
    """SHA-256 of the token as hex."""

    hint = models.CharField(max_length=12)
    """The first characters of the token, so that people can recognise it."""

    expires_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)
    """Accurate to a minute."""

    class Meta:
        db_table = "access_token"
        verbose_name = "access token"
        ordering = ["name", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["project", "owner", "name"], name="token_name_once_per_person"
            )
        ]


class InvitationRecord(OwnedRecord):
    """A link by which one person joins a project; the link itself is not stored."""

    role = models.CharField(max_length=10, choices=MembershipRecord.Role.choices)
    digest = models.CharField(max_length=64, unique=True)
    """SHA-256 of the link's token as hex."""

    expires_at = models.DateTimeField()

    class Meta:
        db_table = "invitation"
        verbose_name = "invitation"
        indexes = [models.Index(fields=["project", "-created_at", "-id"], name="invitation_newest")]

    def __str__(self) -> str:
        return f"{self.role} of {self.project}"
