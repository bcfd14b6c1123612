from django.db import migrations

from tapes_app.migrations import _search_index as search_index


class Migration(migrations.Migration):
    dependencies = [("tapes_app", "0001_initial")]

    operations = [migrations.RunPython(search_index.install, search_index.remove)]
