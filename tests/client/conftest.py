"""The client is a package of its own, which is not installed here."""

import sys
from pathlib import Path

CLIENT = Path(__file__).resolve().parent.parent.parent / "deploy" / "client"
sys.path.insert(0, str(CLIENT))
