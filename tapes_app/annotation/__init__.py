"""What people add to tapes: notes, scores, rubrics, queues, agreement."""
