"""The pages of docs that are looked up in, each written from the code that it tells of."""
