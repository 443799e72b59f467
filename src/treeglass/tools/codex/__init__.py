"""`list_dir`, `read_file` and `grep_files`: text and sentences as the codex tools write them."""
