"""Tables of tapes, agents, models, calls and jobs. Only stores and the admin access them."""

from tapes_app.models.agents import (
    AgentDraftRecord,
    AgentDraftStateRecord,
    AgentPublicationRecord,
    AgentRecord,
    AgentVersionRecord,
    ModelRecord,
)
from tapes_app.models.annotations import AnnotationRecord
from tapes_app.models.budgets import BudgetRecord
from tapes_app.models.calls import (
    CallTokensRecord,
    ContentRecord,
    LLMCallRecord,
    PromptNodeRecord,
)
from tapes_app.models.datasets import (
    DatasetRecord,
    DatasetTapeRecord,
    DatasetVersionRecord,
    DatasetVersionTapeRecord,
)
from tapes_app.models.experiments import ExperimentBranchRecord, ExperimentRecord
from tapes_app.models.jobs import DrainedWorkerRecord, JobEventRecord, JobRecord
from tapes_app.models.lenses import LensRecord
from tapes_app.models.lint import (
    DetectorOffRecord,
    LintMarkRecord,
    LintRuleRecord,
    TapeLintRecord,
)
from tapes_app.models.projects import (
    AccessTokenRecord,
    IdentityRecord,
    InvitationRecord,
    MembershipRecord,
    ProjectRecord,
)
from tapes_app.models.queues import (
    AnswerRecord,
    QueueItemRecord,
    QueueRecord,
    QueueSkipRecord,
    RubricRecord,
    RubricVersionRecord,
)
from tapes_app.models.regression_tests import RegressionTestRecord
from tapes_app.models.tape_changes import TapeChangeRecord
from tapes_app.models.tapes import (
    BatchRecord,
    DraftRecord,
    KindFamilyRecord,
    StepRecord,
    TapeRecord,
    TapeTagRecord,
    TapeWordsRecord,
)

__all__ = [
    "AccessTokenRecord",
    "AgentDraftRecord",
    "AgentDraftStateRecord",
    "AgentPublicationRecord",
    "AgentRecord",
    "AgentVersionRecord",
    "AnnotationRecord",
    "AnswerRecord",
    "BatchRecord",
    "BudgetRecord",
    "CallTokensRecord",
    "ContentRecord",
    "DatasetRecord",
    "DatasetTapeRecord",
    "DatasetVersionRecord",
    "DatasetVersionTapeRecord",
    "DetectorOffRecord",
    "DraftRecord",
    "DrainedWorkerRecord",
    "ExperimentBranchRecord",
    "ExperimentRecord",
    "IdentityRecord",
    "InvitationRecord",
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
    "RegressionTestRecord",
    "RubricRecord",
    "RubricVersionRecord",
    "StepRecord",
    "TapeChangeRecord",
    "TapeLintRecord",
    "TapeRecord",
    "TapeTagRecord",
    "TapeWordsRecord",
]
