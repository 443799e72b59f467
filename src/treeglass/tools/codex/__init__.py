"""`list_dir`, `read_file` and `grep_files`: text and sentences as the codex tools write them."""

from treeglass.tools.codex.definitions import GREP_FILES, LIST_DIR, READ_FILE

TOOLS = (LIST_DIR, READ_FILE, GREP_FILES)
