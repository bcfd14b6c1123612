"""The full-text index over step text, by vendor: FTS5 on SQLite, tsvector on PostgreSQL.

Django rebuilds a SQLite table when a migration alters its columns, and drops its triggers with
it: such a migration of `step` must run `install` again.
"""

SQLITE_INSTALL = [
    "CREATE VIRTUAL TABLE IF NOT EXISTS step_search USING fts5("
    "text, content='step', content_rowid='id', columnsize=0)",
    "CREATE TRIGGER IF NOT EXISTS step_search_insert AFTER INSERT ON step BEGIN "
    "INSERT INTO step_search(rowid, text) VALUES (new.id, new.text); END",
    "CREATE TRIGGER IF NOT EXISTS step_search_delete AFTER DELETE ON step BEGIN "
    "INSERT INTO step_search(step_search, rowid, text) VALUES ('delete', old.id, old.text); END",
    "CREATE TRIGGER IF NOT EXISTS step_search_update AFTER UPDATE OF text ON step BEGIN "
    "INSERT INTO step_search(step_search, rowid, text) VALUES ('delete', old.id, old.text); "
    "INSERT INTO step_search(rowid, text) VALUES (new.id, new.text); END",
    "INSERT INTO step_search(step_search) VALUES ('rebuild')",
]
# Beginnings of three letters have an index of their own: else all hits of all words that begin
# so are read and sorted for each key that a person presses.
SQLITE_INSTALL_BEGINNINGS = [
    "DROP TABLE IF EXISTS step_search",
    "CREATE VIRTUAL TABLE step_search USING fts5("
    "text, content='step', content_rowid='id', columnsize=0, prefix='3')",
    "INSERT INTO step_search(step_search) VALUES ('rebuild')",
]
SQLITE_REMOVE_BEGINNINGS = [
    "DROP TABLE IF EXISTS step_search",
    "CREATE VIRTUAL TABLE step_search USING fts5("
    "text, content='step', content_rowid='id', columnsize=0)",
    "INSERT INTO step_search(step_search) VALUES ('rebuild')",
]
SQLITE_REMOVE = [
    "DROP TRIGGER IF EXISTS step_search_insert",
    "DROP TRIGGER IF EXISTS step_search_delete",
    "DROP TRIGGER IF EXISTS step_search_update",
    "DROP TABLE IF EXISTS step_search",
]

# PostgreSQL's parser keeps `example.com` or `a/b.txt` as one word, FTS5 does not: without
# punctuation both cut text into the same words.
_PUNCTUATION = "!\"#$%&''()*+,-./:;<=>?@[\\]^_`{|}~"
_WORDS = f"translate(text, '{_PUNCTUATION}', '{' ' * (len(_PUNCTUATION) - 1)}')"
POSTGRES_INSTALL = [
    "ALTER TABLE step ADD COLUMN search tsvector "
    f"GENERATED ALWAYS AS (to_tsvector('simple', {_WORDS})) STORED",
    "CREATE INDEX step_search ON step USING gin (search)",
]
# Two words more tell which stretches of ids a step is in, so that the newest can be asked first.
# No word of a text has a tilde. `storage.search_index` asks with the same expression.
POSTGRES_INSTALL_STRETCHES = [
    "DROP INDEX IF EXISTS step_search",
    "CREATE INDEX step_search ON step USING gin ((search || array_to_tsvector("
    "ARRAY['~' || (id >> 14)::text, '~~' || (id >> 18)::text])))",
]
POSTGRES_REMOVE_STRETCHES = [
    "DROP INDEX IF EXISTS step_search",
    "CREATE INDEX step_search ON step USING gin (search)",
]
POSTGRES_REMOVE = [
    "DROP INDEX IF EXISTS step_search",
    "ALTER TABLE step DROP COLUMN IF EXISTS search",
]


def install(apps, schema_editor):
    _execute(schema_editor, SQLITE_INSTALL, POSTGRES_INSTALL)


def remove(apps, schema_editor):
    _execute(schema_editor, SQLITE_REMOVE, POSTGRES_REMOVE)


def install_stretches(apps, schema_editor):
    _execute(schema_editor, [], POSTGRES_INSTALL_STRETCHES)


def remove_stretches(apps, schema_editor):
    _execute(schema_editor, [], POSTGRES_REMOVE_STRETCHES)


def install_beginnings(apps, schema_editor):
    _execute(schema_editor, SQLITE_INSTALL_BEGINNINGS, [])


def remove_beginnings(apps, schema_editor):
    _execute(schema_editor, SQLITE_REMOVE_BEGINNINGS, [])


def _execute(schema_editor, sqlite, postgres):
    statements = sqlite if schema_editor.connection.vendor == "sqlite" else postgres
    for statement in statements:
        schema_editor.execute(statement, params=None)
