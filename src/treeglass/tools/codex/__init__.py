"""`list_dir`, `read_file`, `grep_files` and `apply_patch`: the words of the codex tools."""
