"""The command that starts the trainer on a run folder."""

import sys

from optimize_app.finetune.trainer.run_folder import RunFolder


def trainer_command(run: RunFolder, memory_limit: int | None = None) -> list[str]:
    """Return the trainer's command: one process, or torchrun with the config's number of them."""
    program = ["-m", "optimize_app.finetune", str(run.path)]
    if memory_limit is not None:
        program += ["--memory-limit", str(memory_limit)]
    processes = run.read_config().processes
    if processes == 1:
        return [sys.executable, *program]
    torchrun = ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node", str(processes)]
    return [sys.executable, *torchrun, *program]
