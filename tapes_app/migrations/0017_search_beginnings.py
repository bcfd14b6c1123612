from django.db import migrations

from tapes_app.migrations import _search_index as search_index


class Migration(migrations.Migration):
    dependencies = [
        ("tapes_app", "0016_live_tapes"),
    ]

    operations = [
        migrations.RunPython(search_index.install_beginnings, search_index.remove_beginnings),
    ]
