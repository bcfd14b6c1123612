"""Run N: one tape forked many times, judged alike."""
