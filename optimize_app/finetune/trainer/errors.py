"""Why a finetune cannot start or continue; each message states what would work."""

from tapes_app.engine.errors import InvalidInputError, StudioError


class RunFolderError(InvalidInputError):
    """The run folder lacks a file, or holds one that cannot be read."""

    code = "run_folder"


class BaseModelError(InvalidInputError):
    """The base model cannot be loaded as requested."""

    code = "base_model"


class DeviceError(InvalidInputError):
    """The machine lacks what was requested: a GPU, a library, or room on the disk."""

    code = "device"


class ChangedRunError(InvalidInputError):
    """The folder's checkpoints were made with another config or with other examples."""

    code = "changed_run"


class TrainingFailedError(StudioError):
    """Training started and cannot continue; the last checkpoint is kept."""

    code = "training_failed"
    status = 500
