"""Tables of tapes, agents, models, calls and jobs. Only stores and the admin touch them."""

from tapes_app.models.agents import AgentRecord, AgentVersionRecord, ModelRecord
from tapes_app.models.annotations import AnnotationRecord
from tapes_app.models.calls import (
    CallTokensRecord,
    ContentRecord,
    LLMCallRecord,
    PromptNodeRecord,
)
from tapes_app.models.datasets import DatasetRecord, DatasetTapeRecord
from tapes_app.models.experiments import ExperimentBranchRecord, ExperimentRecord
from tapes_app.models.jobs import JobEventRecord, JobRecord
from tapes_app.models.lenses import LensRecord
from tapes_app.models.lint import LintMarkRecord, LintRuleRecord, TapeLintRecord
from tapes_app.models.projects import MembershipRecord, ProjectRecord
from tapes_app.models.queues import (
    AnswerRecord,
    QueueItemRecord,
    QueueRecord,
    QueueSkipRecord,
    RubricRecord,
    RubricVersionRecord,
)
from tapes_app.models.tags import TapeChangeRecord
from tapes_app.models.tapes import (
    BatchRecord,
    DraftRecord,
    KindFamilyRecord,
    StepRecord,
    TapeRecord,
    TapeTagRecord,
)

__all__ = [
    "AgentRecord",
    "AgentVersionRecord",
    "AnnotationRecord",
    "AnswerRecord",
    "BatchRecord",
    "CallTokensRecord",
    "ContentRecord",
    "DatasetRecord",
    "DatasetTapeRecord",
    "DraftRecord",
    "ExperimentBranchRecord",
    "ExperimentRecord",
    "JobEventRecord",
    "JobRecord",
    "KindFamilyRecord",
    "LLMCallRecord",
    "LensRecord",
    "LintMarkRecord",
    "LintRuleRecord",
    "MembershipRecord",
    "ModelRecord",
    "ProjectRecord",
    "PromptNodeRecord",
    "QueueItemRecord",
    "QueueRecord",
    "QueueSkipRecord",
    "RubricRecord",
    "RubricVersionRecord",
    "StepRecord",
    "TapeChangeRecord",
    "TapeLintRecord",
    "TapeRecord",
    "TapeTagRecord",
]
