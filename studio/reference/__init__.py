"""The reference pages of docs, each written from the code that it describes."""
