# SPDX-License-Identifier: MIT
"""How a plan is cut into tasks, and what becomes of tasks that fail: without any worker."""

from __future__ import annotations

from animbridge.farm.plan import Header, Plan, Row
from animbridge.farm.task import Done, Task
from animbridge.farm.work import Work, undone

HEADER = Header("0", "/", "out", (), "", 0)


def plan_of(*names: str) -> Plan:
    return Plan(HEADER, [Row(name, "", 1) for name in names])


def numbered(count: int) -> Plan:
    return plan_of(*(f"{number:06}.anim" for number in range(count)))


def all_tasks(work: Work, rows_per_second: float, threads: int) -> list[Task]:
    """As if each task took as long as its rows say."""
    tasks: list[Task] = []
    while (task := work.next(threads)) is not None:
        tasks.append(task)
        work.learn(task, Done(seconds=len(task.rows) / rows_per_second))
    return tasks


def test_tasks_take_the_time_they_should_and_get_shorter_at_the_end() -> None:
    tasks = all_tasks(Work(numbered(100_000), 30), 400, 4)
    sizes = [len(task.rows) for task in tasks]
    assert sum(sizes) == 100_000
    assert sizes[0] == 32 and max(sizes) == 12_000
    assert sizes[-2:] == sorted(sizes[-2:], reverse=True) and sizes[-1] <= 1200
    assert [row.input for task in tasks for row in task.rows] == [row.input for row in numbered(100_000).rows]


def test_size_follows_the_speed() -> None:
    work = Work(numbered(100_000), 30)
    first = work.next(2)
    assert first is not None
    work.learn(first, Done(seconds=3.2))  # ten a second
    second = work.next(2)
    assert second is not None and len(second.rows) == 300
    for _ in range(8):
        work.learn(second, Done(seconds=0.3))  # a thousand a second
    third = work.next(2)
    assert third is not None and len(third.rows) > 15_000


def test_inputs_that_may_have_one_output_stay_together() -> None:
    names = [f"{number}.anim" for number in range(40)]
    plan = plan_of(*names, "0.bvh", "31.fbx")
    tasks = all_tasks(Work(plan, 30), 1, 2)
    for stem in ("0.", "31."):
        assert sum(any(row.input.startswith(stem) for row in task.rows) for task in tasks) == 1


def test_task_that_dies_is_halved_until_one_is_alone() -> None:
    work = Work(numbered(32), 30)
    tried: list[int] = []
    failed: list[Task] = []
    while (task := work.next(1)) is not None:
        tried.append(len(task.rows))
        if any(row.input == "000017.anim" for row in task.rows) and not work.halve(task):
            failed.append(task)
    assert [[row.input for row in task.rows] for task in failed] == [["000017.anim"]]
    assert tried.count(1) == 3 + 1  # the culprit three times, and its neighbour
    assert work.left == 0


def test_what_is_not_final_is_undone() -> None:
    task = Task(HEADER, tuple(plan_of("a", "b", "c").rows))
    report = [{"input": "a", "status": "ok"}, {"input": "b", "status": "failed", "may_work_later": True}]
    assert [row.input for row in undone(task, Done(report=report))] == ["b", "c"]
    work = Work(plan_of(), 30)
    assert work.retry(task, task.rows)
    again = work.next(1)
    assert again is not None and work.retry(again, again.rows)
    again = work.next(1)
    assert again is not None and not work.retry(again, again.rows)
