"""What scores can show: intervals, comparisons, plans, and what a judge is worth.

Pure functions over frozen values; nothing here knows tapes, tables or models. scipy and
statsmodels do the arithmetic and are imported where they are needed, since they take a second.
docs/statistics.md says which number is computed how, with sources.

- `estimate`: a value with its interval; quantiles
- `rates`, `paired_rates`, `means`: intervals of a handful of independent outcomes or values
- `clustered_means`: the same where values come in clusters
- `attempts`: the scores of a sweep as columns, and those of one variant by task
- `score_estimates`: mean, pass@1, pass@k, pass^k, majority vote
- `comparisons`, `many_variants`: two variants, or many, on the same tasks
- `variation`: what differs between and within tasks; flaky tasks
- `planning`: what a sweep can find, and what it would take to tell two variants apart
- `watching`: intervals that hold however often one looks
- `agreement`, `judges`, `judge_biases`: people among each other, and judges beside people
- `corrected_scores`: what a judge's scores come to when people checked some of them
- `sentences`: what is shown and what is not, in words
"""
