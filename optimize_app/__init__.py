"""Training sets, finetune jobs, evaluation sweeps and prompt tuning."""
