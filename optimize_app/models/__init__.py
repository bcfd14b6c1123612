"""Tables of optimizing: touched only through its storage."""
