"""The tools that a client or a server offers whose configuration names no tools."""

OFFERED_TOOLS = ["grep_files", "list_dir", "read_file"]
