"""`list_directory`, `Search`, `Read` and `Glob`: answers as JSON objects and as text."""
