"""How the trainer is called on a run folder."""

import sys

from optimize_app.finetune.trainer.run_folder import RunFolder


def command_of(run: RunFolder, memory_limit: int | None = None) -> list[str]:
    """Return the trainer's command: one process, or torchrun with as many as the config asks."""
    program = ["-m", "optimize_app.finetune", str(run.path)]
    if memory_limit is not None:
        program += ["--memory-limit", str(memory_limit)]
    processes = run.read_config().processes
    if processes == 1:
        return [sys.executable, *program]
    torchrun = ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node", str(processes)]
    return [sys.executable, *torchrun, *program]
