"""Muon in full precision does what PyTorch's does in half."""

import torch

from optimize_app.finetune.trainer.muon import Muon, orthogonalize

SHAPES = ((16, 16), (40, 16), (16, 40), (16, 16))


def make_matrices() -> list[torch.nn.Parameter]:
    torch.manual_seed(1)
    return [torch.nn.Parameter(torch.randn(shape) * 0.02) for shape in SHAPES]


def test_steps_are_those_of_pytorch_but_for_rounding() -> None:
    ours, theirs = make_matrices(), make_matrices()
    optimizers = (
        Muon(ours, lr=0.01, weight_decay=0.1),
        torch.optim.Muon(theirs, lr=0.01, weight_decay=0.1, adjust_lr_fn="match_rms_adamw"),
    )

    for _ in range(3):
        for one, other in zip(ours, theirs, strict=True):
            one.grad = torch.randn_like(one)
            other.grad = one.grad.clone()
        for optimizer in optimizers:
            optimizer.step()

    for one, other, start in zip(ours, theirs, make_matrices(), strict=True):
        moved = (other - start).norm()
        assert (one - other).norm() < 0.02 * moved


def test_singular_values_come_near_to_one_whatever_they_were() -> None:
    torch.manual_seed(2)
    matrices = torch.randn(3, 24, 12) * torch.tensor([1e-3, 1.0, 1e3])[:, None, None]

    values = torch.linalg.svdvals(orthogonalize(matrices))

    assert values.min() > 0.3
    assert values.max() < 1.3


def test_a_matrix_without_a_gradient_stays() -> None:
    matrices = make_matrices()
    matrices[0].grad = torch.ones_like(matrices[0])

    Muon(matrices, lr=0.01, weight_decay=0.1).step()

    unmoved = [torch.equal(one, old) for one, old in zip(matrices, make_matrices(), strict=True)]
    assert unmoved == [False, True, True, True]
