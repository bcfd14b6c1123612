"""Fill a studio with synthetic tapes: `python benchmarks/make_tapes.py --count 100000 --seed 7`.

Without a database address they go into the SQLite database of `--data-dir`.
"""

import argparse
import os
import time
from pathlib import Path

from harness import add_repository_to_path

add_repository_to_path()


def main() -> None:
    wanted = read_arguments()
    if wanted.data_dir is not None:
        os.environ["STUDIO_DATA_DIR"] = str(wanted.data_dir)
    if wanted.database_url:
        os.environ["DATABASE_URL"] = wanted.database_url
    os.environ["DJANGO_SETTINGS_MODULE"] = "studio.settings"
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    from bulk_tapes import fill

    from tapes_app.projects.store.projects import ensure_default_project

    begin = time.monotonic()

    def tell(done: int) -> None:
        rate = done / (time.monotonic() - begin)
        print(f"\r{done:,} of {wanted.count:,} tapes, {rate:,.0f} a second", end="", flush=True)

    fill(ensure_default_project().id, wanted.count, seed=wanted.seed, tell=tell)
    print(f"\n{wanted.count:,} tapes in {time.monotonic() - begin:,.0f} s")


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=7, help="another seed makes other tapes")
    parser.add_argument("--database-url", help="postgresql://user:password@host:port/name")
    parser.add_argument("--data-dir", type=Path, help="the data folder of a studio")
    return parser.parse_args()


if __name__ == "__main__":
    main()
