"""Artefacts: folders of the data folder that machines share, each under its path in it.

`training_sets/HASH`, `models/NAME`, `finetunes/JOB`, `uploads/JOB`, `exports/JOB` and
`example_files/PROJECT.ID` are artefacts. Where all workers see one data folder, nothing is copied.
Where they do not, a store that all of them reach keeps a copy.
"""
