"""How many bytes a text takes in storage, computed by the database."""

from typing import Any

from django.db.models import BigIntegerField, Func


class StoredBytes(Func):
    """The length of a text in bytes of UTF-8."""

    function = "OCTET_LENGTH"
    output_field = BigIntegerField()

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> Any:
        template = "LENGTH(CAST(%(expressions)s AS BLOB))"  # older ones know no OCTET_LENGTH
        return super().as_sql(compiler, connection, template=template, **context)
