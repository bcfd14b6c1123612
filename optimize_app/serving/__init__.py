"""An OpenAI-compatible endpoint over adapters."""
