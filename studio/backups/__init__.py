"""Backups: one file with the database and the files of the data folder, made and put back."""
