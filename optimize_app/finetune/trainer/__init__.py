"""The trainer over a run folder: `python -m optimize_app.finetune RUN_DIR`.

config.json        the request (`config.FinetuneConfig`)
samples.jsonl      what is learnt, one example a line (`samples.Sample`)
evaluation.jsonl   held-out examples of the same form; may be missing
resolved.json      the config with every value filled in, versions and hashes of the data
metrics.jsonl      what happened: plan, steps, evaluations, generations, the end
checkpoints/       saved points from which the same command continues exactly
adapter/, model/   the result: a LoRA adapter, or a full model
result.json        how it ended, with a sentence
stop               creating this file asks the trainer to save and end
"""
