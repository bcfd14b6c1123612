"""The form-filling assistant: forms, what it writes, and which of that a form allows (paper 5)."""
