"""Files in and out: imports, exports, shared tapes."""
