"""Run N: one tape forked many times, all branches judged in the same way."""
