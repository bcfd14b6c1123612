"""LoRA finetunes: the trainer is a program over a run folder and knows no Django."""
