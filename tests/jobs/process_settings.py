"""Settings of the workers and web servers that tests start: the tests' own rows, a short lease."""

import os

from studio.settings import *  # noqa: F403
from studio.settings import DATABASES

DATABASES["default"]["NAME"] = os.environ["TEST_PROCESS_DATABASE"]  # noqa: TID251
DATABASES["default"].get("OPTIONS", {}).pop("pool", None)
STUDIO_LEASE_SECONDS = 2.0
