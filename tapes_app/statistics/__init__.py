"""What scores can show: intervals, comparisons, plans, and the value of a judge.

Pure functions over frozen values; nothing here knows tapes, tables or models. scipy and statsmodels
do the arithmetic and are imported where they are needed, since that takes a second.
docs/statistics.md documents how each number is computed, with sources.

- `estimate`: a value with its interval; quantiles
- `rates`, `means`: intervals of a handful of independent outcomes or values
- `clustered_means`: the same for values in clusters
- `attempts`: the scores of a sweep as columns, and those of one variant by task
- `score_estimates`: mean, pass@1, pass@k, pass^k, majority vote
- `comparisons`, `many_variants`: two variants, or many, on the same tasks
- `variation`: what differs between and within tasks; flaky tasks
- `planning`: what a sweep can find, and what it takes to distinguish two variants
- `watching`: intervals that hold however often they are checked
- `agreement`, `judges`, `judge_biases`: people compared with each other, judges with people
- `corrected_scores`: a judge's scores, corrected by people's checks of some of them; labels
  needed
- `sentences`: what is shown and what is not, in words
"""
