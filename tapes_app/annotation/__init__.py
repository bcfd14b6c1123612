"""What people say of tapes: notes, scores, rubrics, queues, agreement."""
