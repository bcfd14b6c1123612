"""The worker of claim 8: writes tokens of many jobs into their logs as they fall due."""

import json
import resource
import sys
import time
from uuid import UUID

from harness import add_repository_to_path

add_repository_to_path()

TICK_SECONDS = 0.005


def main() -> None:
    begin, seconds, rate = float(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])
    import django

    django.setup()
    from tapes_app.jobs.domain.protocol import StepDelta
    from tapes_app.jobs.store.events import Claim, EventWriter

    claims = [Claim(UUID(job_id), 1) for job_id in sys.argv[4:]]
    writer = EventWriter()
    sent, total = 0, int(seconds * rate)
    started = resource.getrusage(resource.RUSAGE_SELF)
    while sent < total:
        due = min(total, int((time.monotonic() - begin) * rate))
        for number in range(sent, due):
            token = f"{begin + number / rate:.6f} "
            for claim in claims:
                writer.emit(claim, StepDelta(prompt_id="p", text=token))
        sent = max(sent, due)
        time.sleep(TICK_SECONDS)
    writer.close()
    used = resource.getrusage(resource.RUSAGE_SELF)
    cpu = used.ru_utime + used.ru_stime - started.ru_utime - started.ru_stime
    print(json.dumps({"cpu_seconds": cpu}))


if __name__ == "__main__":
    main()
