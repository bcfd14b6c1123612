"""What also runs on PostgreSQL: what PostgreSQL can break, and nothing that only uses rows.

Every test runs on SQLite. A file or folder is listed here when it is about the SQL itself: how rows
are locked, ordered, searched, summed, interrupted or migrated. Of the rest, every route is called
once (`tests/http`), so a statement that PostgreSQL refuses is found. In what is listed, tests
without rows are left out. Tests that need databases of their own, as those of `up` on PostgreSQL,
make them wherever they run (`tests/studio/new_databases.py`).
"""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent

ON_POSTGRES = {
    "tests/agents/test_agents_models_projects.py": "the store of agents and models",
    "tests/annotation/test_stored_queues.py": "the store of queues; people who reach for one place",
    "tests/authoring/test_drafts_over_http.py": "drafts of agents are saved by compare and set",
    "tests/batches/test_comparison_over_http.py": "rates and pairs are computed by the database",
    "tests/bulk/test_stored_datasets.py": "many writers of one dataset",
    "tests/bulk/test_undo_log.py": "a column of JSON that older versions wrote",
    "tests/calls/test_stored_calls.py": "prompts are read by a recursive query",
    "tests/editing/test_drafts_over_http.py": "drafts are saved by compare and set",
    "tests/evaluation/test_report_files.py": "every number of a sweep's report",
    "tests/exchange/test_project_files.py": "all tables of a project, written and read in bulk",
    "tests/experiments/test_fixes_over_http.py": "claims and counts of branches",
    "tests/http/test_access.py": "every route once, for people of every role",
    "tests/http/test_hostile_requests.py": "every route once, with values that a column refuses",
    "tests/interchange/test_imports.py": "the store of imports, and the lock on their project",
    "tests/jobs/test_event_stream.py": "hints are NOTIFY there",
    "tests/jobs/test_events.py": "the numbers of events, and the lock that keeps them in order",
    "tests/jobs/test_host.py": "claims and leases of many jobs at once",
    "tests/jobs/test_job.py": "claims and leases",
    "tests/jobs/test_stream.py": "hints are NOTIFY there",
    "tests/jobs/test_sudden_death.py": "locks of processes that are killed",
    "tests/jobs/test_upkeep.py": "statistics and vacuum",
    "tests/jobs/test_wake.py": "hints are NOTIFY there",
    "tests/library": "search, queries, order, pages by key, facets",
    "tests/lint/test_linting.py": "the store of findings",
    "tests/projects/test_forgetting.py": "deleting along every foreign key",
    "tests/projects/test_sample.py": "all tables of a project, inserted as they were",
    "tests/projects/test_time_limits.py": "statements that are interrupted",
    "tests/runs/test_reservations.py": "calls reserved by many at once, under the lock of a row",
    "tests/runs/test_runs.py": "a node run is one transaction",
    "tests/studio/test_pruning.py": "old rows deleted in bulk",
    "tests/tapes/test_edits.py": "the store of tapes",
    "tests/tapes/test_exactness.py": "whatever a step holds comes back",
    "tests/tapes/test_family_over_http.py": "words found inside one tape",
    "tests/tapes/test_inserting.py": "many rows at once",
    "tests/tapes/test_loading.py": "spans of many tapes in one condition",
    "tests/tapes/test_outline.py": "the outline in columns",
    "tests/tapes/test_races.py": "writers that meet",
    "tests/tapes/test_tapes.py": "the store of tapes",
    "tests/tapes/test_tapes_over_http.py": "lists have a limit of time and a number of queries",
    "tests/training_sets/test_sets_over_http.py": "examples chosen, split and frozen by queries",
}
"""Files and folders, each with the reason."""


def runs_on_postgres(file: Path) -> bool:
    """Return whether the tests of a file also run on PostgreSQL."""
    return any((ROOT / path) in (file, *file.parents) for path in ON_POSTGRES)
