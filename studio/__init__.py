"""Composition: settings, addresses, sign-in, and the command that starts everything."""

import gc

_COLLECT_AFTER = (20_000, 10, 100)
"""Net new objects, then young collections, then middle ones; the defaults are 700, 10, 10."""

# Every program of the studio begins here. What it loads stays, and scanning that again and again
# took a tenth of each start. Later, the steps of a large tape are as many again: young objects are
# scanned in small parts, and everything far less often.
gc.set_threshold(*_COLLECT_AFTER)
