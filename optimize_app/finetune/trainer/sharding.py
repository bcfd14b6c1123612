"""A model of which each process holds a part: FSDP2, `fully_shard` of PyTorch.

(Zhao et al. 2023, arXiv 2304.11277; per-parameter sharding as of PyTorch 2.6.) A block's weights
are gathered while it computes and freed afterwards. All processes do everything here at the same
time, in the same order: a process that asks alone for a complete value hangs forever.
"""

from typing import Any

import torch
from peft import PeftModel
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import FSDPModule, fully_shard, register_fsdp_forward_method
from torch.distributed.tensor import DTensor, distribute_tensor


def shard(model: torch.nn.Module, *, device: torch.device, processes: int) -> None:
    """Spread the weights of a model over all processes, block by block, in place."""
    mesh = init_device_mesh(device.type, (processes,))
    bare: Any = model
    if isinstance(bare, PeftModel):
        bare = bare.get_base_model()
    names = set(bare._no_split_modules or ())
    for block in [part for part in model.modules() if type(part).__name__ in names]:
        fully_shard(block, mesh=mesh)
    fully_shard(model, mesh=mesh)
    if device.type == "cpu":
        _sum_gradients(model)
    # Generating answers enters the model through another method than training does.
    register_fsdp_forward_method(model, "generate")


def whole(value: torch.Tensor) -> torch.Tensor:
    """Return a complete value, of which this process may hold a part."""
    return value.full_tensor() if isinstance(value, DTensor) else value


def gather(value: torch.Tensor) -> torch.Tensor:
    """Return a complete value on the CPU, for the first process to write.

    The others help to assemble it and keep nothing: otherwise all weights and moments of a large
    model would be in the memory of its host once per GPU.
    """
    full = whole(value)
    if isinstance(value, DTensor) and value.device_mesh.get_rank():
        return full.new_empty(0, device="cpu")
    return full.cpu()


def full_weights(model: torch.nn.Module) -> dict[str, torch.Tensor]:
    """Return all weights by name, for writing; a weight with two names is under the first."""
    weights: dict[str, torch.Tensor] = {}
    seen: set[int] = set()
    for name, value in model.state_dict(keep_vars=True).items():
        if id(value) not in seen:
            seen.add(id(value))
            weights[name] = gather(value.detach())
    return weights


def part_like(value: torch.Tensor, like: torch.Tensor) -> torch.Tensor:
    """Return this process's part of a complete value that is spread like `like`."""
    if not isinstance(like, DTensor):
        return value
    # No broadcast source: each process has read the same file.
    return distribute_tensor(
        value.to(like.device), like.device_mesh, like.placements, src_data_rank=None
    )


def full_state(optimizer: torch.optim.Optimizer) -> dict[str, Any]:
    """Return the state of an optimizer with complete moments, for writing."""
    state = optimizer.state_dict()
    moments = {
        place: {
            name: gather(value) if isinstance(value, torch.Tensor) else value
            for name, value in kept.items()
        }
        for place, kept in state["state"].items()
    }
    return {**state, "state": moments}


def load_full_state(optimizer: torch.optim.Optimizer, state: dict[str, Any]) -> None:
    """Load complete moments into an optimizer; each process keeps its part of them."""
    parameters = [one for group in optimizer.param_groups for one in group["params"]]
    moments = {
        place: {
            name: part_like(value, parameters[place])
            if isinstance(value, torch.Tensor) and value.shape == parameters[place].shape
            else value
            for name, value in kept.items()
        }
        for place, kept in state["state"].items()
    }
    optimizer.load_state_dict({**state, "state": moments})


def _sum_gradients(model: torch.nn.Module) -> None:
    """Sum gradients and divide them afterwards: gloo, the backend for CPUs, has no mean."""
    for part in model.modules():
        if isinstance(part, FSDPModule):
            part.set_force_sum_reduction_for_comms(enable=True)
