"""Artefacts: subfolders of the data folder that machines share, each named by its path.

`training_sets/HASH`, `models/NAME`, `finetunes/JOB`, `uploads/JOB`, `exports/JOB` and
`example_files/PROJECT.ID` are artefacts. If all workers see the same data folder, nothing is
copied. If they do not, a store that all of them can reach keeps a copy.
"""
