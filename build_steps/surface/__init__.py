"""The names and types that outsiders use, as one text to review."""
