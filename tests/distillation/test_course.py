"""Who drives which tasks of a round."""

from uuid import UUID, uuid4

from hypothesis import given
from hypothesis import strategies as st

from optimize_app.distillation.course import draw_drivers


@given(
    tasks=st.lists(st.uuids(), unique=True, max_size=12),
    share=st.floats(0, 1),
    seed=st.integers(0, 9),
)
def test_every_task_has_one_driver_and_the_teacher_its_share(
    tasks: list[UUID], share: float, seed: int
) -> None:
    drivers = draw_drivers(tasks, share, seed=seed, number=1)

    assert sorted([*drivers.teacher, *drivers.student], key=tasks.index) == tasks
    assert abs(len(drivers.teacher) - share * len(tasks)) <= 1
    if 0 < share < 1 and len(tasks) > 1:
        assert drivers.teacher
        assert drivers.student


def test_each_round_draws_anew_and_each_worker_alike() -> None:
    tasks = [uuid4() for _ in range(40)]
    first, second = (draw_drivers(tasks, 0.5, seed=0, number=number) for number in (1, 2))

    assert first == draw_drivers(tasks, 0.5, seed=0, number=1)
    assert first != second
    assert len(first.teacher) == len(second.teacher) == 20


def test_alone_each_of_both_has_all_tasks() -> None:
    tasks = [uuid4() for _ in range(6)]

    assert draw_drivers(tasks, 1, seed=0, number=1).student == ()
    assert draw_drivers(tasks, 0, seed=0, number=1).teacher == ()
