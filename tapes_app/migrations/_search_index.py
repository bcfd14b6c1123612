"""The full-text indexes of steps and of tapes: FTS5 on SQLite, tsvector on PostgreSQL.

Django rebuilds a SQLite table when a migration alters its columns, and drops its triggers with
it: such a migration of `step` must run `install` again, one of `tape` `install_tape_words`.
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

# Titles, tasks and answers have a table of their own: a tape is written again with each step that
# it gets, and its words stay as they are.
_LONGEST_ANSWER = 10_000
_TAPE_WORDS = (
    "{row}title || '\n' || {row}task || '\n' || "
    f"substr({{row}}expected, 1, {_LONGEST_ANSWER}) || '\n' || "
    f"substr({{row}}actual, 1, {_LONGEST_ANSWER})"
)
_NEW_WORDS = _TAPE_WORDS.format(row="new.")
_FILL_TAPE_WORDS = [
    "DELETE FROM tape_words",
    "INSERT INTO tape_words (tape_id, text, created_at) "
    f"SELECT id, {_TAPE_WORDS.format(row='')}, created_at FROM tape ORDER BY created_at, id",
]
_WORDS_CHANGED = " OR ".join(
    f"old.{name} <> new.{name}" for name in ("title", "task", "expected", "actual", "created_at")
)
SQLITE_REMOVE_TAPE_WORDS = [
    "DROP TRIGGER IF EXISTS tape_words_of_new",
    "DROP TRIGGER IF EXISTS tape_words_of_changed",
    "DROP TRIGGER IF EXISTS tape_words_insert",
    "DROP TRIGGER IF EXISTS tape_words_delete",
    "DROP TRIGGER IF EXISTS tape_words_update",
    "DROP TABLE IF EXISTS tape_words_search",
]
SQLITE_INSTALL_TAPE_WORDS = [
    *SQLITE_REMOVE_TAPE_WORDS,
    *_FILL_TAPE_WORDS,
    "CREATE VIRTUAL TABLE tape_words_search USING fts5("
    "text, content='tape_words', content_rowid='id', columnsize=0, prefix='3')",
    "INSERT INTO tape_words_search(tape_words_search) VALUES ('rebuild')",
    "CREATE TRIGGER tape_words_of_new AFTER INSERT ON tape BEGIN "
    "INSERT INTO tape_words (tape_id, text, created_at) "
    f"VALUES (new.id, {_NEW_WORDS}, new.created_at); END",
    "CREATE TRIGGER tape_words_of_changed "
    "AFTER UPDATE OF title, task, expected, actual, created_at ON tape "
    f"WHEN {_WORDS_CHANGED} BEGIN UPDATE tape_words "
    f"SET text = {_NEW_WORDS}, created_at = new.created_at WHERE tape_id = new.id; END",
    "CREATE TRIGGER tape_words_insert AFTER INSERT ON tape_words BEGIN "
    "INSERT INTO tape_words_search(rowid, text) VALUES (new.id, new.text); END",
    "CREATE TRIGGER tape_words_delete AFTER DELETE ON tape_words BEGIN "
    "INSERT INTO tape_words_search(tape_words_search, rowid, text) "
    "VALUES ('delete', old.id, old.text); END",
    "CREATE TRIGGER tape_words_update AFTER UPDATE OF text ON tape_words BEGIN "
    "INSERT INTO tape_words_search(tape_words_search, rowid, text) "
    "VALUES ('delete', old.id, old.text); "
    "INSERT INTO tape_words_search(rowid, text) VALUES (new.id, new.text); END",
]
POSTGRES_REMOVE_TAPE_WORDS = [
    "DROP TRIGGER IF EXISTS tape_words_of_new ON tape",
    "DROP TRIGGER IF EXISTS tape_words_of_changed ON tape",
    "DROP FUNCTION IF EXISTS write_tape_words",
    "DROP INDEX IF EXISTS tape_words_search",
    "ALTER TABLE tape_words DROP COLUMN IF EXISTS search",
]
POSTGRES_INSTALL_TAPE_WORDS = [
    *POSTGRES_REMOVE_TAPE_WORDS,
    "ALTER TABLE tape_words ADD COLUMN search tsvector "
    f"GENERATED ALWAYS AS (to_tsvector('simple', {_WORDS})) STORED",
    *_FILL_TAPE_WORDS,
    "CREATE INDEX tape_words_search ON tape_words USING gin ((search || array_to_tsvector("
    "ARRAY['~' || (id >> 14)::text, '~~' || (id >> 18)::text])))",
    "CREATE FUNCTION write_tape_words() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
    "INSERT INTO tape_words (tape_id, text, created_at) "
    f"VALUES (new.id, {_NEW_WORDS}, new.created_at) ON CONFLICT (tape_id) "
    "DO UPDATE SET text = excluded.text, created_at = excluded.created_at; "
    "RETURN NULL; END $$",
    "CREATE TRIGGER tape_words_of_new AFTER INSERT ON tape "
    "FOR EACH ROW EXECUTE FUNCTION write_tape_words()",
    "CREATE TRIGGER tape_words_of_changed "
    "AFTER UPDATE OF title, task, expected, actual, created_at ON tape "
    f"FOR EACH ROW WHEN ({_WORDS_CHANGED}) EXECUTE FUNCTION write_tape_words()",
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


def install_tape_words(apps, schema_editor):
    _execute(schema_editor, SQLITE_INSTALL_TAPE_WORDS, POSTGRES_INSTALL_TAPE_WORDS)


def remove_tape_words(apps, schema_editor):
    _execute(schema_editor, SQLITE_REMOVE_TAPE_WORDS, POSTGRES_REMOVE_TAPE_WORDS)


def _execute(schema_editor, sqlite, postgres):
    statements = sqlite if schema_editor.connection.vendor == "sqlite" else postgres
    for statement in statements:
        schema_editor.execute(statement, params=None)
