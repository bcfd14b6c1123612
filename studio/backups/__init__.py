"""Backups: making and restoring one file with the database and the files of the data folder."""
