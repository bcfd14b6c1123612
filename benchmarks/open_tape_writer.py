"""The worker of claim 5: writes tokens into a live run's log, each with its creation time."""

import sys
import time
from uuid import UUID

from harness import add_repository_to_path

add_repository_to_path()


def main() -> None:
    job_id, seconds, rate = UUID(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3])
    import django

    django.setup()
    from tapes_app.jobs.domain.protocol import StepDelta
    from tapes_app.jobs.store.events import Claim, EventWriter

    claim, writer = Claim(job_id, 1), EventWriter()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        token = f"word [{time.time() * 1e3:.0f}] "
        writer.emit(claim, StepDelta(prompt_id="p", text=token))
        time.sleep(1 / rate)
    writer.close()


if __name__ == "__main__":
    main()
