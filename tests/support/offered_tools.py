"""The tools that a configuration without choices offers, as callers list them."""

OFFERED_TOOLS = [
    "Glob",
    "Grep",
    "LS",
    "Read",
    "Search",
    "grep_files",
    "list_dir",
    "list_directory",
    "read_file",
]
