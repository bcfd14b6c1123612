"""Use cases of distillation: started, worked on by a job, looked at."""
