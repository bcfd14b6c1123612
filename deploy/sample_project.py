"""Make the sample project that ships: a studio does the work, and what came of it is kept.

`.venv/bin/python deploy/sample_project.py` writes `tapes_app/projects/sample.zip` again. It needs
torch for the finetune, no key and no network, and takes about two minutes. Everything is asked for
over the API, as the pages ask; only the people are made otherwise.
"""

import os
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))


def main() -> None:
    with tempfile.TemporaryDirectory() as data:
        os.environ["STUDIO_DATA_DIR"] = os.environ.get("SAMPLE_DATA_DIR", data)
        os.environ["DJANGO_SETTINGS_MODULE"] = "studio.settings"
        import django
        from django.core.management import call_command

        django.setup()
        call_command("migrate", verbosity=0)

        from deploy.sample_story import tell

        tell()


if __name__ == "__main__":
    main()
